const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Searches for a complete phone number (E.164), not for the beginning of a longer one. In protobuf the length is in front of a
 * text, and the byte after the text may look like a digit; in JSON a quotation mark follows.
 */
export function mentionsNumber(bytes: Uint8Array, phoneNumber: string): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = content.indexOf(phoneNumber); at >= 0; at = content.indexOf(phoneNumber, at + 1)) {
    if (content[at - 1] === phoneNumber.length || !isDigit(content[at + phoneNumber.length])) return true;
  }
  return false;
}
