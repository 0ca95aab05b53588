'use strict';
// The names of IANA's registries by their numbers, and what node calls the same.

const openssl = require('../build/openssl.node');

const SIGNATURES = {
  rsa_pkcs1_sha1: 0x0201, ecdsa_sha1: 0x0203, rsa_pkcs1_sha256: 0x0401, ecdsa_secp256r1_sha256: 0x0403,
  rsa_pkcs1_sha384: 0x0501, ecdsa_secp384r1_sha384: 0x0503, rsa_pkcs1_sha512: 0x0601, ecdsa_secp521r1_sha512: 0x0603,
  rsa_pss_rsae_sha256: 0x0804, rsa_pss_rsae_sha384: 0x0805, rsa_pss_rsae_sha512: 0x0806, ed25519: 0x0807, ed448: 0x0808,
  rsa_pss_pss_sha256: 0x0809, rsa_pss_pss_sha384: 0x080a, rsa_pss_pss_sha512: 0x080b,
};
const HASHES = { 2: 'SHA1', 3: 'SHA224', 4: 'SHA256', 5: 'SHA384', 6: 'SHA512' };
const SIGNERS = { 1: 'RSA', 2: 'DSA', 3: 'ECDSA' };
const GROUPS = { // The first one's number, and names in the order of their numbers.
  1: `sect163k1 sect163r1 sect163r2 sect193r1 sect193r2 sect233k1 sect233r1 sect239k1 sect283k1 sect283r1 sect409k1
    sect409r1 sect571k1 sect571r1 secp160k1 secp160r1 secp160r2 secp192k1 secp192r1 secp224k1 secp224r1 secp256k1
    secp256r1 secp384r1 secp521r1 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 x25519 x448`,
  256: 'ffdhe2048 ffdhe3072 ffdhe4096 ffdhe6144 ffdhe8192',
};

/** Entries of one registry, each with its number, its name, and node's name for it. */
class Registry {
  #makeEntries;
  #entries = null;

  constructor(makeEntries) {
    this.#makeEntries = makeEntries;
  }

  get #all() {
    return this.#entries ??= this.#makeEntries();
  }

  /** The entry of a name in any case, or of a number like 0x4a4b; undefined where node has none. */
  find(text) {
    const number = /^0x[0-9a-f]{4}$/i.test(text) ? Number(text) : null;
    return this.#all.find((entry) => entry.number === number || entry.name.toLowerCase() === text.toLowerCase());
  }

  name(number) {
    return this.#all.find((entry) => entry.number === number)?.name ?? `0x${number.toString(16).padStart(4, '0')}`;
  }
}

const suites = new Registry(() => openssl.suites());

const groups = new Registry(() => Object.entries(GROUPS).flatMap(([first, names]) =>
  names.split(/\s+/).map((name, index) => ({ number: Number(first) + index, name, native: name }))));

const signatures = new Registry(() => {
  const names = Object.fromEntries(Object.entries(SIGNATURES).map(([name, number]) => [number, name]));
  const pairs = Object.keys(HASHES).flatMap((hash) => Object.keys(SIGNERS).map((signer) => ({
    number: hash * 256 + Number(signer), native: `${SIGNERS[signer]}+${HASHES[hash]}`,
  })));
  const others = Object.entries(SIGNATURES).filter(([, number]) => number >= 0x0800)
    .map(([name, number]) => ({ number, native: name }));
  return [...pairs, ...others].map((entry) => ({
    ...entry, name: names[entry.number] ?? `0x${entry.number.toString(16).padStart(4, '0')}`,
  }));
});

module.exports = { suites, groups, signatures };
