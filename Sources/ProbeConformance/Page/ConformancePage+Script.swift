extension ConformancePage {
    /// Shows one table at a time, filters it, and opens cells. It writes only text nodes.
    static let script = #"""
        "use strict";
        const $ = (id) => document.getElementById(id);
        const detail = $("detail"), filter = $("filter"), which = $("which"), count = $("count");
        const sections = [...document.querySelectorAll("section")];
        const tabs = [...document.querySelectorAll("[role=tab]")];
        let current = null, opened = null;

        // Characters that would hide or turn text around are shown, as everywhere else.
        const printable = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
          character === "\n" ? character : `\\u{${character.codePointAt(0).toString(16)}}`);
        const make = (name, text, kind) => {
          const element = document.createElement(name);
          if (text !== undefined && text !== null) element.textContent = printable(String(text));
          if (kind) element.className = kind;
          return element;
        };
        const add = (parent, ...children) => { parent.append(...children.filter(Boolean)); return parent; };
        const pairs = (list, kind) => {
          const known = list.filter(([, value]) => value !== null && value !== undefined && value !== "");
          const dl = make("dl", null, kind);
          for (const [name, value, style] of known) add(dl, make("dt", name), make("dd", value, style));
          return dl;
        };
        const heading = (text) => make("h3", text);

        function show(key) {
          current = sections.find((section) => section.id === key) || sections[0];
          if (!current) return;
          for (const section of sections) section.hidden = section !== current;
          for (const tab of tabs) tab.setAttribute("aria-selected", String(tab.dataset.section === current.id));
          close();
          apply();
        }

        function apply() {
          const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
          let shown = 0;
          const rows = current.rows;
          for (const row of rows) {
            const text = (row.text ??= row.textContent.toLowerCase());
            const isWanted = (which.value === "all" || row.classList.contains(which.value))
              && words.every((word) => text.includes(word));
            row.hidden = !isWanted;
            if (isWanted) shown += 1;
          }
          count.textContent = `${shown} of ${rows.length}`;
          for (const button of current.querySelectorAll("td button[tabindex='0']")) button.tabIndex = -1;
          const first = current.querySelector("tbody tr:not([hidden]) td button");
          if (first) first.tabIndex = 0;
        }

        const trust = (reading) => reading === null || reading === undefined ? null
          : reading.accepted ? "accepted"
          : "refused: " + reading.problems.map((p) =>
              `${p.cause}${p.nativeCode ? ` (${p.nativeCode})` : ""}, ${p.message}`).join("; ");

        function chain(certificates) {
          if (!certificates || !certificates.length) return [];
          return certificates.flatMap((c) => [
            heading(`certificate ${c.index}, ${c.source}`),
            pairs([["subject", c.subject], ["issuer", c.issuer], ["names", [...c.dnsNames, ...c.ipAddresses].join(", ")],
              ["valid", c.notBefore && `${c.notBefore} to ${c.notAfter}`], ["key", c.key],
              ["SHA-256", c.certSHA256, "hash"], ["SHA-256 of the key", c.spkiSHA256, "hash"],
              ["the stack's reading", c.stackSPKISHA256 === c.spkiSHA256 ? "the same key" : c.stackSPKISHA256, "hash"],
              ["error", c.error, "fail"]], "wide")]);
        }

        function exchanges(list) {
          return (list || []).flatMap((a, index) => [
            heading(`DNS exchange ${index + 1}`),
            pairs([["server", `${a.server} over ${a.channel}`], ["reply", a.replyBytes && `${a.replyBytes} bytes`],
              ["strings", a.strings && a.strings.join("\n")], ["DNSSEC", a.dnssec], ["dropped", a.dropped.join("; ")],
              ["failure", a.failure && `${a.failure.code}, ${a.failure.message}`, "fail"],
              ["seconds", a.seconds]], "wide")]);
        }

        function seen(cell) {
          const shown = cell.evidence, evidence = shown && shown.evidence, tls = evidence && evidence.tls;
          const findings = (shown && shown.findings || []).map((f) => `${f.code}: ${f.message}`).join("\n");
          const failure = tls && tls.failure;
          return pairs([["outcome", cell.outcome || "not played"], ["findings", findings],
            ["the stack on trust", evidence && trust(evidence.trust.native)], ["signed by", shown && shown.signer],
            ["version", tls && tls.version], ["cipher suite", tls && tls.cipherSuite], ["group", tls && tls.group],
            ["ALPN", tls && tls.alpn], ["SNI", tls && tls.sni],
            ["failure", failure && `${failure.code}, ${failure.message}`], ["seconds", cell.seconds]]);
        }

        function promised(entry, cell) {
          const evidence = cell.evidence && cell.evidence.evidence;
          return pairs([["decided", entry.expected + (entry.code ? `, ${entry.code}` : "")],
            ["promise", entry.sentence], ["source", entry.source],
            ["held to", cell.expected === entry.expected ? null : cell.expected],
            ["exempt because", cell.deviation, "why"],
            ["the reference on trust", evidence && trust(evidence.trust.reference)]]);
        }

        function open(button, takesFocus) {
          const row = button.closest("tr"), entry = JSON.parse($(row.dataset.case).textContent);
          const cell = entry.cells.find((cell) => cell.backend === button.dataset.backend);
          if (opened) opened.removeAttribute("aria-expanded");
          opened = button;
          button.setAttribute("aria-expanded", "true");
          const end = make("button", "×", "close");
          end.type = "button";
          end.setAttribute("aria-label", "Close");
          end.addEventListener("click", close);
          const sides = make("div", null, "sides");
          add(sides, add(make("div"), heading("Promised"), promised(entry, cell)),
            add(make("div"), heading(`What ${cell.backend} reported`), seen(cell)));
          const peers = make("div", null, "peers");
          for (const other of entry.cells.filter((other) => other !== cell)) {
            const link = make("button", `${other.backend}: ${other.outcome || "not played"}`,
              other.failure ? "fail" : other.deviation ? "why" : "");
            link.type = "button";
            link.addEventListener("click", () => {
              const cells = [...row.querySelectorAll("td button")];
              open(cells.find((cell) => cell.dataset.backend === other.backend), true);
            });
            add(peers, link);
          }
          const shown = cell.evidence, evidence = shown && shown.evidence;
          const raw = shown && add(make("details"), make("summary", "The evidence as JSON"),
            make("pre", shown.cut === undefined ? JSON.stringify(shown, null, 2) : `${shown.cut}\n… (cut)`));
          detail.replaceChildren();
          add(detail, end, make("h2", `${entry.id} · ${cell.backend}`),
            cell.failure && make("p", cell.failure, "fail"), sides,
            peers.childNodes.length ? heading("The other backends") : null,
            peers.childNodes.length ? peers : null,
            ...exchanges(evidence && evidence.dns), ...chain(evidence && evidence.chain), shown ? heading("All of it") : null, raw);
          detail.hidden = false;
          detail.scrollTop = 0;
          if (takesFocus) detail.focus();
        }

        function close() {
          detail.hidden = true;
          if (!opened) return;
          opened.removeAttribute("aria-expanded");
          opened.focus();
          opened = null;
        }

        function move(button, key) {
          const row = button.closest("tr"), column = button.closest("td").cellIndex;
          const along = (from, step) => {
            for (let next = from; next; next = next[step]) {
              const found = next.hidden ? null : next.querySelector && (next.cells
                ? next.cells[column] && next.cells[column].querySelector("button") : next.querySelector("button"));
              if (found) return found;
            }
            return null;
          };
          const cell = button.closest("td");
          const next = { ArrowDown: () => along(row.nextElementSibling, "nextElementSibling"),
            ArrowUp: () => along(row.previousElementSibling, "previousElementSibling"),
            ArrowRight: () => along(cell.nextElementSibling, "nextElementSibling"),
            ArrowLeft: () => along(cell.previousElementSibling, "previousElementSibling") }[key]();
          if (!next) return;
          button.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        }

        document.querySelector("main").addEventListener("click", (event) => {
          const button = event.target.closest("td button");
          if (button) open(button, event.detail === 0);
        });
        document.addEventListener("keydown", (event) => {
          if (event.key === "Escape" && !detail.hidden) return close();
          const button = event.target.closest && event.target.closest("td button");
          if (!button || !event.key.startsWith("Arrow")) return;
          event.preventDefault();
          move(button, event.key);
        });
        for (const tab of tabs) tab.addEventListener("click", () => show(tab.dataset.section));
        filter.addEventListener("input", apply);
        which.addEventListener("change", apply);
        document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
        for (const section of sections) section.rows = [...section.querySelectorAll("tbody tr")];
        show(sections.length ? sections[0].id : "");
        """#
}
