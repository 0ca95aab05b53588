import unittest

from probekit_spark.target import line, server, weight


class TargetTests(unittest.TestCase):
    def test_the_server_is_what_is_dialled(self):
        for text, expected in {
            "example.com": "example.com", "Example.COM.:8443": "example.com", "192.0.2.1:443": "192.0.2.1",
            "192.0.2.1,example.com": "192.0.2.1", "192.0.2.1:8443,example.com": "192.0.2.1",
            "[2001:db8::1]:443": "2001:db8::1", "2001:db8::1": "2001:db8::1", "[2001:DB8::1],example.com": "2001:db8::1",
            "192.0.2.1 , a.example": "192.0.2.1", "smtp://mail.example.com": "mail.example.com", "https://example.com:8443/": "example.com",
            '{"target":"example.com:443"}': "example.com:443",
            '{"target":"example.com","connect":"192.0.2.1:443"}': "192.0.2.1:443",
            '{"target":"https://a.example/"}': "a.example", '{"target":"smtp://b.example:25"}': "b.example",
            '{"target":"https://a.example","connect":"192.0.2.1:443"}': "192.0.2.1:443",
            "": "", None: "", "{": "{", "[]": "", '{"target":7}': "7", "http://[": "http://[",
        }.items():
            with self.subTest(text):
                self.assertEqual(server(text).removesuffix(":443") if text and "{\"" in text else server(text),
                                 expected.removesuffix(":443"))

    def test_a_range_weighs_its_addresses(self):
        for text, expected in {
            "example.com": 1, "192.0.2.0/24": 256, "192.0.2.0/24:8443,a.test": 256, "192.0.2.1/32": 1,
            "2001:db8::/120": 256, "[2001:db8::/120]:443": 256, "[2001:db8::/120]": 256, "192.0.2.0/30 , a.test": 4,
            "2001:db8::/126:443,a.test": 4, "[2001:db8::1]:443": 1, "https://192.0.2.1/24": 1, None: 1, "192.0.2.0/99": 1,
        }.items():
            with self.subTest(text):
                self.assertEqual(weight(text), expected)

    def test_a_target_is_one_line(self):
        self.assertEqual(line("a\nb\r\nc\u2028d"), "a b c d")
        self.assertEqual(line(None), "")
        self.assertEqual(line("example.com\n"), "example.com")
