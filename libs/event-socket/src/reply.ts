import type { Frame } from './frame-reader.ts';

/** The reply of the switch to a command or a background job. Failures are text: there is no status. */
export interface Reply {
  readonly ok: boolean;
  /** Without the trailing line break, which is there only sometimes. */
  readonly text: string;
}

/** Classifies the text of a reply, of an api response or of a BACKGROUND_JOB's body. */
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
