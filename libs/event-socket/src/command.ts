import type { Frame } from './frame-reader.ts';

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

/** The reply of the switch to a command or a background job. Failures are text: there is no status. */
export interface Reply {
  readonly ok: boolean;
  /** Without the trailing line break, which is there only sometimes. */
  readonly text: string;
}

/** Classifies the text of a reply or of an api response. */
export function classifyReply(text: string): Reply {
  const trimmed = text.replace(/[\r\n]+$/, '');
  return { ok: !/^-(ERR|ERROR|USAGE)/.test(trimmed), text: trimmed };
}

/**
 * The reply in a frame; undefined when the frame is no reply. Replies come in the order of their commands, of either
 * content type: a forbidden `api` is answered by command/reply.
 */
export function readReply(frame: Frame): (Reply & { readonly headers: Frame['headers'] }) | undefined {
  switch (frame.headers.get('content-type')) {
    case 'command/reply':
      return { ...classifyReply(frame.headers.get('reply-text') ?? ''), headers: frame.headers };
    case 'api/response':
      return { ...classifyReply(frame.body.toString('utf8')), headers: frame.headers };
    default:
      return undefined;
  }
}
