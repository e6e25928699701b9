import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type SendThreadMailRequest,
  type ThreadMailEntry,
  ThreadMailKind,
} from '@parley/proto/identity/v1/thread_mails_pb';
import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';

/** Characters of a voicemail's transcription; the link leads to the rest. */
const TRANSCRIPTION_MAX = 4000;

/** Text of callers, contacts and coworkers is changed so that mail programs do not turn any of it into a link. */
export function threadMailText(
  mail: Pick<SendThreadMailRequest, 'phoneNumber' | 'contactName' | 'entries' | 'omitted'>,
  name: string,
  publicUrl: string,
): MailText {
  const { phoneNumber, contactName, entries, omitted } = mail;
  const who = contactName === '' ? phoneNumber : `${plainName(contactName)} (${phoneNumber})`;
  const count = entries.length + omitted;
  const link = `${publicUrl}/dashboard/inbox/${encodeURIComponent(phoneNumber)}`;
  const [first] = entries;
  return mailText({
    subject: count === 1 && first ? titleOf(first, who) : `${count} notifications about ${who}`,
    paragraphs: [
      `Hello ${plainName(name)},`,
      ...(omitted > 0 ? [`The latest ${entries.length} of ${count} notifications about ${who}:`] : []),
      ...entries.flatMap((entry) => [sentenceOf(entry, who), ...saidIn(entry)]),
      link,
      'Your settings in Parley say which of these e-mails you get.',
    ],
    link,
    action: 'Open the conversation',
  });
}

function titleOf({ kind, employeeName }: ThreadMailEntry, who: string): string {
  const coworker = employeeName === '' ? 'A coworker' : plainName(employeeName);
  switch (kind) {
    case ThreadMailKind.MISSED_CALL:
      return `Missed call from ${who}`;
    case ThreadMailKind.VOICEMAIL:
      return `Voicemail from ${who}`;
    case ThreadMailKind.TEXT:
      return `Text from ${who}`;
    case ThreadMailKind.ASSIGNED:
      return `${coworker} has assigned the conversation with ${who} to you`;
    case ThreadMailKind.MENTIONED:
      return `${coworker} has mentioned you in a comment about ${who}`;
    case ThreadMailKind.UNSPECIFIED:
      return `News about ${who}`;
  }
}

function sentenceOf(entry: ThreadMailEntry, who: string): string {
  const { businessNumberName, at } = entry;
  const iso = at && timestampDate(at).toISOString();
  const to = businessNumberName === '' ? '' : ` to ${plainName(businessNumberName)}`;
  const when = iso ? `, on ${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC` : '';
  return `${titleOf(entry, who)}${to}${when}.`;
}

function saidIn({ transcription }: ThreadMailEntry): string[] {
  return transcription === '' ? [] : [`“${plainName(transcription, TRANSCRIPTION_MAX)}”`];
}
