"""One browser, as a line of browsers.txt has it; the offer itself is a table inside libcurl."""

import dataclasses

_VERSIONS = ["1.0", "1.1", "1.2", "1.3"]


@dataclasses.dataclass(frozen=True)
class Browser:
    """A browser by its name here and libcurl's."""

    name: str
    impersonation: str
    oldest: str
    asks_for_scts: bool
    sends_ech: bool

    @classmethod
    def named(cls, name, table):
        """The browser of that name in a file."""
        for line in table.read_text().splitlines():
            if line.split()[:1] == [name]:
                _, impersonation, oldest, scts, ech = line.split()
                return cls(name, impersonation, oldest, scts == "scts", ech == "ech")
        raise ValueError(f"{table} has no {name}")

    def versions(self, oldest, newest):
        """The oldest and the newest version that are its own and in the range; None where there are none."""
        oldest = max(oldest, self.oldest, key=_VERSIONS.index)
        return (oldest, newest) if _VERSIONS.index(oldest) <= _VERSIONS.index(newest) else None
