/** Letters, digits and marks that mean nothing to a switch or in a SIP header stay as they are. */
const PLAIN = /[A-Za-z0-9._-]/;
/** A carrier may cut or refuse longer headers. */
const LENGTH_MAX = 400;

/** An address for a SIP header: UTF-8, percent-encoded, of bounded length. */
export function encodeAddress(address: string): string {
  let encoded = '';
  for (const character of address.replaceAll(/\s+/g, ' ').trim()) {
    const next = PLAIN.test(character) ? character : percentEncoded(character);
    if (encoded.length + next.length > LENGTH_MAX) break;
    encoded += next;
  }
  return encoded;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
