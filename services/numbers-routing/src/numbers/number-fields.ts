import type { Problems } from '../call-flows/problems.ts';
import { characterCount, TEXT_LENGTH_MAX } from './text-length.ts';

const NAME_LENGTH_MAX = 128;
const NAME = /^[A-Za-z0-9 \-_~!.+]*$/;
/** Language, then perhaps script and region: `da`, `en-GB`, `zh-Hant`. */
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/;
/** Returns nothing for a well-formed code of no language, such as `xx`. */
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** `Europe/Copenhagen`, `America/Argentina/Buenos_Aires`. Offsets and abbreviations have no daylight saving time. */
const ZONE = /^[A-Za-z]+(\/[A-Za-z0-9_+-]+){1,2}$/;
const WELL_CASED_ZONE = /^[A-Z][A-Za-z]*(\/[A-Z][A-Za-z0-9_+-]*)+$/;

/** A team label. */
export function readName(name: string, problems: Problems): string {
  if (name.trim() === '') problems.add('name', 'must not be blank');
  else if (name.length > NAME_LENGTH_MAX)
    problems.add('name', `is too long (maximum is ${NAME_LENGTH_MAX} characters)`);
  if (!NAME.test(name)) problems.add('name', 'may have only the letters A to Z, digits, spaces and -_~!.+');
  return name;
}

/** A text that is played to callers; null for none. */
export function readAnnouncement(text: string | null, problems: Problems): string | null {
  if (text === null) return null;
  if (text.trim() === '') problems.add('recording_announcement', 'must not be blank');
  else if (characterCount(text) > TEXT_LENGTH_MAX)
    problems.add('recording_announcement', `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`);
  return text;
}

/** A name of the tz database, that the runtime supports. */
export function readTimezone(timezone: string, problems: Problems): string {
  const known = ZONE.test(timezone) || timezone === 'UTC' ? zoneName(timezone) : undefined;
  if (known === undefined) problems.add('timezone', 'is not an IANA time zone');
  return known ?? timezone;
}

/** A language code. The speech service falls back where it has no voice for one. */
export function readLanguage(language: string, problems: Problems): string {
  if (!LANGUAGE.test(language) || languageNames.of(language) === undefined) {
    problems.add('language', 'is not a language code');
    return language;
  }
  return Intl.getCanonicalLocales(language)[0] ?? language;
}

/** The zone with its letters in the right case; an older name of a zone stays what it is. */
function zoneName(timezone: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions();
    if (timeZone.toLowerCase() === timezone.toLowerCase()) return timeZone;
    return WELL_CASED_ZONE.test(timezone) || timezone === 'UTC' ? timezone : undefined;
  } catch {
    return undefined;
  }
}

/** Settings of a new number that the operator does not choose. */
export const defaultSettings = {
  ringStrategy: 'all',
  recordingAnnouncement: null,
  announcePosition: false,
  callbackOffer: false,
  closures: [],
} as const;
