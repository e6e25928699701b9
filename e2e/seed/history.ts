import { createHash } from 'node:crypto';
import { derivedId } from '@parley/secrets';
import { createContact, type Contact } from '../../services/directory/src/contacts/contact.ts';
import { derivedFields } from '../../services/call-control/src/calls/model/derived-fields.ts';
import type { Call, CallDirection, CallNumber } from '../../services/call-control/src/calls/model/call.ts';
import type { Participant } from '../../services/call-control/src/calls/model/participant.ts';
import type { RecordingFile } from '../../services/call-control/src/recordings/recording-file.ts';
import type { Transcript } from '../../services/call-control/src/calls/model/transcript.ts';
import { createVoicemail, markListened, type Voicemail } from '../../services/call-control/src/voicemails/voicemail.ts';
import { encodingOf, type Message } from '../../services/messaging-inbox/src/messages/message.ts';
import {
  ANSWERS,
  COMPANY_NAMES,
  conversation,
  FAMILY_NAMES,
  FIRST_NAMES,
  MAILBOX_MESSAGES,
  QUESTIONS,
  TEXTS,
} from './phrases.ts';

/** How much of everything a company has. */
export interface HistorySize {
  readonly calls: number;
  readonly texts: number;
  readonly contacts: number;
  readonly months: number;
}

export interface SeededCompany extends HistorySize {
  readonly companyId: string;
  readonly country: string;
  readonly numbers: readonly CallNumber[];
  readonly employees: readonly Participant[];
  readonly seed: string;
  /** The end of the history. */
  readonly until: Date;
  /** A recording, which all of them are copies of. */
  readonly recording: { readonly bytes: Buffer; readonly durationMs: number };
}

/** A call with what belongs to it. */
export interface SeededCall {
  readonly call: Call;
  readonly transcript: Transcript | undefined;
  readonly voicemail: Voicemail | undefined;
  /** What the voicemail says. */
  readonly message: string | undefined;
}

const DAY_MS = 86_400_000;
const MONTH_MS = 30.4 * DAY_MS;
const OPENING_MS = 7 * 3_600_000;
const OPEN_MS = 10 * 3_600_000;
/** Everything has ended, and voicemails were listened to, when the history ends. */
const CALL_MS_MAX = 2 * 3_600_000;
/** People who call without being contacts, for each contact. */
const UNKNOWN_PEOPLE = 0.25;
const SHARE = { outbound: 0.25, answeredOutbound: 0.8, answeredInbound: 0.7, voicemail: 0.12, abandoned: 0.1 };
/** Of answered calls. */
const CONTENT = { transcribed: 0.3, recorded: 0.03 };
const LISTENED = 0.8;
const SENT_TEXTS = 0.4;
const SWITCH = { name: 'seed', coreUuid: 'seed' };

/** The history of a company. Each item follows from the seed and its place, so batches can be made in any order. */
export function historyOf(company: SeededCompany) {
  const { companyId, seed, numbers, employees, until } = company;
  const key = createHash('sha256').update(`${companyId} ${seed}`).digest();
  const people = Math.max(1, Math.ceil(company.contacts * (1 + UNKNOWN_PEOPLE)));
  const spanMs = company.months * MONTH_MS;
  const id = (prefix: string, index: number) => derivedId(prefix, key, `${prefix} ${index}`);
  /** From 0 up to, not including, 1. */
  const random = (what: string, index: number) =>
    createHash('sha256').update(key).update(`${what} ${index}`).digest().readUInt32LE(0) / 2 ** 32;
  const among = <T>(all: readonly T[], what: string, index: number): T =>
    all[Math.floor(random(what, index) * all.length)]!;

  /** In working hours, the later the higher the index. */
  function timeOf(what: string, index: number, count: number): Date {
    const ageMs = spanMs * (1 - (index + random(what, index)) / count);
    const at = until.getTime() - ageMs;
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    const opened = day + OPENING_MS + Math.floor(((at - day) / DAY_MS) * OPEN_MS);
    return new Date(Math.min(opened, until.getTime() - CALL_MS_MAX));
  }

  /** Some call often: of a hundred people the first one makes a tenth of the calls, of ten thousand a hundredth. */
  const phoneOf = (what: string, index: number) => phone(Math.floor(random(what, index) ** 2 * people));

  function contact(index: number): Contact {
    const at = new Date(until.getTime() - spanMs + Math.floor((spanMs * index) / company.contacts));
    const name = `${among(FIRST_NAMES, 'first name', index)} ${among(FAMILY_NAMES, 'family name', index)}`;
    const details = {
      phone: phone(index),
      name,
      email: `${plain(name)}.${index}@example.com`,
      companyName: random('business', index) < 0.3 ? among(COMPANY_NAMES, 'company', index) : null,
      note: random('note', index) < 0.1 ? 'Prefers to be called in the morning.' : null,
    };
    const identity = { id: id('con', index), companyId, createdOrder: at.getTime() * 1000 + (index % 1000) };
    const decision = createContact(identity, details, company.country, at);
    if (!decision.ok) throw new Error(`contact ${index}: ${decision.refusal.code}`);
    return decision.state;
  }

  function call(index: number): SeededCall {
    const startedAt = timeOf('call', index, company.calls);
    const direction: CallDirection = random('direction', index) < SHARE.outbound ? 'outbound' : 'inbound';
    const number = among(numbers, 'number', index);
    const remote = phoneOf('caller', index);
    const employee = among(employees, 'employee', index);
    const outcome = outcomeOf(direction, random('outcome', index));
    const waitedMs = 1000 * (3 + Math.floor(random('wait', index) * 40));
    const talkedMs = 1000 * (10 + Math.floor(random('talk', index) ** 2 * 900));
    const isAnswered = outcome === 'answered';
    const answeredAt = isAnswered ? new Date(startedAt.getTime() + waitedMs) : null;
    const endedAt = new Date(startedAt.getTime() + waitedMs + (isAnswered ? talkedMs : 0));
    const isTranscribed = isAnswered && random('transcript', index) < CONTENT.transcribed;
    const isRecorded = isAnswered && random('recording', index) < CONTENT.recorded;
    const callId = id('cal', index);
    const recordings = [
      ...(isRecorded ? [recordingOf(callId, 'conversation', answeredAt!)] : []),
      ...(outcome === 'voicemail' ? [recordingOf(callId, 'voicemail', endedAt)] : []),
    ];
    const isOutbound = direction === 'outbound';
    const bare = {
      id: callId,
      companyId,
      direction,
      from: isOutbound ? number.number : remote,
      to: isOutbound ? remote : number.number,
      state: 'ended',
      startedAt,
      queuedAt: isOutbound ? null : startedAt,
      answeredAt,
      endedAt,
      durationSecs: isAnswered ? talkedMs / 1000 : null,
      number,
      initiatedBy: isOutbound ? employee : null,
      employees: isAnswered || isOutbound ? [employee] : [],
      conversationSpans: isAnswered ? [{ employee, recordedMs: 0 }] : [],
      ...(outcome === 'abandoned' && { abandoned: true }),
      voicemailId: outcome === 'voicemail' ? id('vm', index) : null,
      ...(isTranscribed && { hasTranscription: true }),
      phase: { kind: 'ended' },
      noAnswer: null,
      switch: SWITCH,
      legs: [],
      customerLegId: '',
      customerAnswered: isAnswered,
      transfers: [],
      recordings,
      timeline: timelineOf({ startedAt, answeredAt, endedAt }),
      seed,
      prompt: null,
      idsDerived: 0,
    } satisfies Omit<Call, keyof ReturnType<typeof derivedFields>>;
    const made: Call = { ...bare, ...derivedFields(bare) };
    return {
      call: made,
      transcript: isTranscribed ? transcriptOf(made, employee, index) : undefined,
      ...(outcome === 'voicemail'
        ? { voicemail: voicemailOf(made, index), message: among(MAILBOX_MESSAGES, 'message', index) }
        : { voicemail: undefined, message: undefined }),
    };
  }

  function recordingOf(callId: string, kind: RecordingFile['kind'], startedAt: Date): RecordingFile {
    const { bytes, durationMs } = company.recording;
    const stored = { status: 'stored', durationMs, sizeBytes: bytes.length } as const;
    return { name: `${callId}-1`, kind, legId: '', startedAt, ...stored, isTranscribed: true };
  }

  function voicemailOf(call: Call, index: number): Voicemail {
    const left = { voicemailId: call.voicemailId!, recording: call.recordings[0]!.name };
    const created = createVoicemail(call, left, call.endedAt!);
    if (!created.ok) throw new Error(created.refusal.code);
    if (random('listened', index) >= LISTENED) return created.state;
    const listened = markListened(created.state, true, new Date(call.endedAt!.getTime() + 3_600_000));
    if (!listened.ok) throw new Error(listened.refusal.code);
    return listened.state;
  }

  function transcriptOf(
    { id: callId, remoteNumber, direction }: Call,
    employee: Participant,
    index: number,
  ): Transcript {
    const question = among(QUESTIONS, 'question', index);
    const answer = among(ANSWERS, 'answer', index);
    const said = conversation(question, answer, index);
    const texts = direction === 'inbound' ? said : said.toReversed();
    const segments = texts.map((text, turn) => {
      const isRemote = (direction === 'inbound') === (turn % 2 === 0);
      const speaker = isRemote ? remoteNumber : employee.name;
      return {
        speaker,
        text,
        employeeId: isRemote ? null : employee.id,
        startMs: turn * 4000,
        endMs: turn * 4000 + 3500,
      };
    });
    const text = segments.map((segment) => `${segment.speaker}: ${segment.text}`).join('\n');
    return { id: callId, companyId, segments, text, summary: question };
  }

  function text(index: number, sealed: (id: string, text: string) => string): Message {
    const at = timeOf('text', index, company.texts);
    const messageId = id('msg', index);
    const { id: businessNumberId, name, number } = among(numbers, 'texted number', index);
    const remote = phoneOf('texter', index);
    const content = `${among(TEXTS, 'content', index)} #${index}`;
    const isSent = random('sent', index) < SENT_TEXTS;
    const fields = {
      id: messageId,
      companyId,
      businessNumberId,
      businessNumberName: name,
      from: isSent ? number : remote,
      to: isSent ? remote : number,
      externalNumber: remote,
      encryptedText: sealed(messageId, content),
      // No two are the same.
      createdAtMicros: at.getTime() * 1000 + (index % 1000),
      smsCount: 1,
      encoding: encodingOf(content),
    };
    if (!isSent)
      return { ...fields, direction: 'inbound', status: 'received', providerMessageId: messageId, receivedAt: at };
    const employee = among(employees, 'texting employee', index);
    const attempt = { key: messageId, employeeId: employee.id, createdAt: at, status: 'delivered' } as const;
    const settled = { providerId: messageId, failureCode: null, reports: [], finalized: true };
    return {
      ...fields,
      direction: 'outbound',
      author: { type: 'employee', ...employee },
      status: 'delivered',
      failureCode: null,
      deliveredAt: new Date(at.getTime() + 1000),
      attempts: [{ ...attempt, ...settled }],
      keys: [messageId],
    };
  }

  return { contact, call, text };
}

export type History = ReturnType<typeof historyOf>;

/** The number of a person; contacts come first, and the first one calls most. */
export function phone(person: number): string {
  return `+45${20_000_000 + person}`;
}

function outcomeOf(direction: CallDirection, luck: number) {
  if (direction === 'outbound') return luck < SHARE.answeredOutbound ? 'answered' : 'unanswered';
  if (luck < SHARE.answeredInbound) return 'answered';
  if (luck < SHARE.answeredInbound + SHARE.voicemail) return 'voicemail';
  return luck < SHARE.answeredInbound + SHARE.voicemail + SHARE.abandoned ? 'abandoned' : 'missed';
}

function timelineOf({
  startedAt,
  answeredAt,
  endedAt,
}: Record<'startedAt' | 'endedAt', Date> & Pick<Call, 'answeredAt'>) {
  const entry = (at: Date, what: string, cause: string) => ({ at, type: 'state', what, cause }) as const;
  return [
    entry(startedAt, 'initiated', 'arrival'),
    ...(answeredAt ? [entry(answeredAt, 'bridged', 'leg_bridged')] : []),
    entry(endedAt, 'ended', 'leg_ended'),
  ];
}

const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '.')
    .toLowerCase();
