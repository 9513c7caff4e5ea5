"""WebCanvas (Mind2Web-Live): tasks on live sites, scored by the key nodes that an episode passes."""
