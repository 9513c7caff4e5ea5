"""What a browser's pages ask the network for: filtered, followed, recorded."""
