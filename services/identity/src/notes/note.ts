import { type Due, dueIn } from '@parley/errors';
import { mailRetryMs } from '../mail/mail-retries.ts';

/** An e-mail that notifies an employee of a change of the account, in case it was not made by them. */
export interface Note {
  readonly about: 'password' | 'address';
  /** Where the employee was reached when it happened. */
  readonly to: string;
  readonly at: Date;
  readonly tries: number;
  readonly next: Date;
}

/** What has notes; absent where there never were any. `due` is when the first of them is to be sent. */
export interface WithNotes {
  readonly notes?: readonly Note[];
  readonly due?: Due | null;
}

/** It is not sent after this time. */
const LIFETIME_MS = 7 * 24 * 3600 * 1000;
const NOTES_MAX = 10;

/** Schedules a note in the write that causes it. Does not affect another note that is being sent. */
export function planNote<Of extends WithNotes>(current: Of, { about, to }: Pick<Note, 'about' | 'to'>, now: Date): Of {
  const notes = [...(current.notes ?? []), { about, to, at: now, tries: 0, next: now }].slice(-NOTES_MAX);
  return { ...current, notes, due: dueOf(notes, now) };
}

/** The one to be sent first. */
export function nextNote({ notes = [] }: WithNotes): Note | undefined {
  return notes.toSorted((one, other) => one.next.getTime() - other.next.getTime())[0];
}

/** The note was sent. */
export function endNote<Of extends WithNotes>(current: Of, note: Note, now: Date): Of {
  return withNotes(current, others(current, note), now);
}

/** The note could not be sent: it is tried again for as long as it is of use, and the others do not wait for it. */
export function postponeNote<Of extends WithNotes>(current: Of, note: Note, now: Date): Of {
  const left = others(current, note);
  const wasThere = left.length < (current.notes?.length ?? 0);
  if (!wasThere || now.getTime() - note.at.getTime() >= LIFETIME_MS) return withNotes(current, left, now);
  const next = new Date(now.getTime() + mailRetryMs(note.tries));
  return withNotes(current, [...left, { ...note, tries: note.tries + 1, next }], now);
}

function others({ notes = [] }: WithNotes, { about, to, at }: Note): Note[] {
  return notes.filter((one) => one.about !== about || one.to !== to || one.at.getTime() !== at.getTime());
}

function withNotes<Of extends WithNotes>(current: Of, notes: readonly Note[], now: Date): Of {
  return { ...current, notes, due: dueOf(notes, now) };
}

function dueOf(notes: readonly Note[], now: Date): Due | null {
  const first = nextNote({ notes });
  return first ? dueIn(now, Math.max(0, first.next.getTime() - now.getTime())) : null;
}
