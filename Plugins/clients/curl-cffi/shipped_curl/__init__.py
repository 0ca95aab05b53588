"""libcurl with BoringSSL and the offers of browsers, out of a Python extension that has them inside."""
