/** A line break in a command: it would become a header or another command (command injection). */
export class UnsafeCommand extends Error {
  constructor() {
    super('a command must be one line of text without control characters');
    this.name = 'UnsafeCommand';
  }
}

/** Encodes a command. Refuses CR, LF and NUL in every part, and an empty part, which would end the command early. */
export function encodeCommand(line: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = [line, ...Object.entries(headers).map(([name, value]) => `${headerName(name)}: ${value}`)];
  // oxlint-disable-next-line no-control-regex
  if (lines.some((part) => part.trim() === '' || /[\r\n\0]/.test(part))) throw new UnsafeCommand();
  return Buffer.from(`${lines.join('\n')}\n\n`);
}

/** A Content-Length would make the switch wait for a body that never comes. */
function headerName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) || name.toLowerCase() === 'content-length') throw new UnsafeCommand();
  return name;
}
