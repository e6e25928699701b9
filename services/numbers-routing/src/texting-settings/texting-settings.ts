import type { TextingSettings } from '../numbers/business-number.ts';
import { type Decision, invalid, refused } from '@parley/errors';
import { collectProblems } from '../call-flows/problems.ts';
import { characterCount, TEXT_LENGTH_MAX } from '../numbers/text-length.ts';
import { type BusinessNumber, type BusinessNumberEvent, changed } from '../numbers/business-number.ts';

export const DEFAULT_TEXTING_SETTINGS: TextingSettings = {
  autoReplyEnabled: false,
  autoReplyText: null,
  autoReplyCooldownMinutes: 1440,
};

const COOLDOWN_MINUTES_MIN = 60;
/** Thirty days. */
const COOLDOWN_MINUTES_MAX = 43_200;

/** Absent fields stay as they are. Nothing is saved until something differs from what applies already. */
export function updateTextingSettings(
  current: BusinessNumber,
  change: Partial<TextingSettings>,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const settings = { ...DEFAULT_TEXTING_SETTINGS, ...current.textingSettings, ...change };
  const problems = collectProblems();
  const { autoReplyEnabled, autoReplyText: text, autoReplyCooldownMinutes: cooldown } = settings;
  if (autoReplyEnabled && (text === null || text.trim() === ''))
    problems.add('auto_reply_text', 'must not be blank while auto-reply is enabled');
  if (text !== null && characterCount(text) > TEXT_LENGTH_MAX)
    problems.add('auto_reply_text', `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`);
  if (cooldown < COOLDOWN_MINUTES_MIN || cooldown > COOLDOWN_MINUTES_MAX)
    problems.add('auto_reply_cooldown_minutes', `must be ${COOLDOWN_MINUTES_MIN} to ${COOLDOWN_MINUTES_MAX}`);
  if (problems.count() > 0) return refused(invalid(problems.fields()));
  const nothingGiven = Object.keys(change).length === 0;
  return changed(current, { ...current, textingSettings: nothingGiven ? current.textingSettings : settings }, now);
}
