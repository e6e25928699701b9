import { isWritable } from '@parley/http';
import { plainLine, plainText } from '@parley/text';
import { z } from 'zod';

/** UTF-16 units per character at most, plus blanks that the service trims. */
const SLACK = 4;

/**
 * What is no text for people, such as an id or a password, of at most `maxLength` characters. Its service checks that, together with all else that may be wrong with the
 * request; here only what is far too long is refused, before anything is made of it.
 */
export const boundedText = (maxLength: number, error = tooLong(maxLength)) =>
  z
    .string()
    .max(maxLength * SLACK, { error })
    .meta({ maxLength });

/** What no store can keep (NUL, half a surrogate pair) stays as it is, and is refused for it. */
const unlessUnwritable = (clean: (text: string) => string) => (text: string) => (isWritable(text) ? clean(text) : text);

export const cleanLine = unlessUnwritable(plainLine);
export const cleanText = unlessUnwritable(plainText);

/** A name, title or tag: one line, without characters that control how it is shown. Limits count what is left. */
export const lineText = (maxLength: number) => cleaned(maxLength, cleanLine);

/** Text of any number of lines, without characters that control how it is shown beyond its end. Limits count what is left. */
export const longText = (maxLength: number) => cleaned(maxLength, cleanText);

const cleaned = (maxLength: number, clean: (text: string) => string) =>
  z
    .string()
    .overwrite(clean)
    .max(maxLength * SLACK, { error: tooLong(maxLength) })
    .meta({ maxLength });

function tooLong(maxLength: number): string {
  return `is too long (maximum is ${maxLength} characters)`;
}

export const nameText = lineText(255);
export const emailText = boundedText(320);
/** A phone number as people write it. */
export const phoneText = boundedText(64, 'is not a valid phone number');
export const urlText = boundedText(2_000);
