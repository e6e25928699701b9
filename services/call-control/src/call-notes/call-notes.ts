import { invalid, type Refusal, refused } from '@parley/errors';
import type { Call } from '../calls/model/call.ts';
import { tagListKey } from '../calls/model/derived-fields.ts';
import { type CallDecision, CallDraft } from '../calls/decide/call-draft.ts';

export interface CallNotes {
  readonly note: string | null;
  readonly tags: readonly string[];
}

/** A field that is absent stays unchanged. */
interface NotesChange {
  readonly note?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface StoredNotes {
  open(call: Pick<Call, 'id' | 'sealedNotes'>): CallNotes;
  seal(callId: string, notes: CallNotes): string;
  /** A tag as the index stores it. */
  tagKey(companyId: string, tag: string): string;
}

const NOTE_LENGTH_MAX = 10_000;
const TAGS_MAX = 10;
const TAG_LENGTH_MAX = 40;

const written = (tag: string) => tag.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** Tags that differ in the case of their letters, or in their blanks, are the same. Upper case first: ß and SS are one letter. */
export const sameTag = (tag: string) => written(tag).toUpperCase().toLowerCase();

const lengthOf = (text: string) => [...text].length;

/** The notes as they are to be stored, or what is wrong with them. */
export function changedNotes(current: CallNotes, change: NotesChange): CallNotes | Refusal {
  const note = change.note === undefined ? current.note : change.note.trim() || null;
  const tags = change.tags === undefined ? current.tags : uniqueTags(change.tags);
  const problems: Record<string, string[]> = {};
  if (lengthOf(note ?? '') > NOTE_LENGTH_MAX)
    problems['note'] = [`is too long (maximum is ${NOTE_LENGTH_MAX} characters)`];
  if (tags.length > TAGS_MAX) problems['tags'] = [`has too many entries (maximum is ${TAGS_MAX})`];
  else if (tags.includes('')) problems['tags'] = ['must not be blank'];
  else if (tags.some((tag) => lengthOf(tag) > TAG_LENGTH_MAX))
    problems['tags'] = [`is too long (maximum is ${TAG_LENGTH_MAX} characters)`];
  return Object.keys(problems).length > 0 ? invalid(problems) : { note, tags };
}

function uniqueTags(tags: readonly string[]): readonly string[] {
  const unique = new Map<string, string>();
  for (const tag of tags.map(written)) if (!unique.has(sameTag(tag))) unique.set(sameTag(tag), tag);
  return [...unique.values()];
}

/** Changes the note and the tags of a call, in whatever state it is. What stays the same is no event. */
export function changeNotes(
  call: Call,
  change: NotesChange & { readonly actorId: string },
  stored: StoredNotes,
  now: Date,
): CallDecision {
  const current = stored.open(call);
  const notes = changedNotes(current, change);
  if ('code' in notes) return refused(notes);
  const draft = new CallDraft(call, 'update_call', now);
  const { note, tags } = notes;
  if (note === current.note && JSON.stringify(tags) === JSON.stringify(current.tags)) return draft.decide();
  const tagKeys = tags.map((tag) => stored.tagKey(call.companyId, tag));
  const tagListKeys = tagKeys.flatMap((tagKey) => call.listKeys.map((key) => tagListKey(tagKey, key)));
  const isEmpty = note === null && tags.length === 0;
  // Empty rather than absent: a call that had tags has one entry in the index.
  if (tagListKeys.length > 0 || call.tagListKeys) draft.set({ tagListKeys });
  draft.set({ sealedNotes: isEmpty ? null : stored.seal(call.id, notes) });
  draft.note({ type: 'note', what: 'note_changed', employeeId: change.actorId });
  draft.emit('call-control.call.note_changed');
  return draft.decide();
}
