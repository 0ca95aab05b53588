"""OpenSSL, any version since 1.0.2, out of a Python extension that has it inside."""
