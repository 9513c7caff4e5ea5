"""The bundled web applications that sample tasks run on."""
