import { z } from 'zod';

/** UTF-16 units per character at most, plus blanks that the service trims. */
const SLACK = 4;

/**
 * Text of at most `maxLength` characters. Its service checks that, together with all else that may be wrong with the
 * request; here only what is far too long is refused, before anything is made of it.
 */
export const boundedText = (maxLength: number, error = `is too long (maximum is ${maxLength} characters)`) =>
  z
    .string()
    .max(maxLength * SLACK, { error })
    .meta({ maxLength });

export const nameText = boundedText(255);
export const emailText = boundedText(320);
/** A phone number as people write it. */
export const phoneText = boundedText(64, 'is not a valid phone number');
export const urlText = boundedText(2_000);
