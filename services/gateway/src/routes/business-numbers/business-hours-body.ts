import { boundedArray } from '@parley/http';
import { z } from 'zod';

const DAYS = 7;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const TIME_OF_DAY_OR_END = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const dayOfWeek = z.int().refine((day) => day >= 0 && day < DAYS, { error: 'must be 0 (Monday) to 6 (Sunday)' });

const BREAKS_MAX = 4;

const timeOfDay = z.string().regex(TIME_OF_DAY, { error: 'must be HH:MM, at most 23:59' });
const timeOfDayOrEnd = z.string().regex(TIME_OF_DAY_OR_END, { error: 'must be HH:MM, at most 24:00' });

const entry = z.object({
  day_of_week: dayOfWeek.meta({ minimum: 0, maximum: DAYS - 1, description: '0 is Monday' }),
  open: z.boolean().optional(),
  opening_at: timeOfDay.optional().describe('HH:MM'),
  closing_at: timeOfDayOrEnd.optional().describe('HH:MM; 24:00 is the end of the day'),
  breaks: boundedArray(z.object({ from: timeOfDay, to: timeOfDayOrEnd }), BREAKS_MAX)
    .optional()
    .describe('Replaces all breaks of the day: inside the opening time, not overlapping'),
});

/** Changes of a schedule as clients send them. */
export const businessHoursBody = boundedArray(entry, DAYS, 1)
  .superRefine(
    (entries, context) => {
      const days = entries.map((change) => change?.day_of_week);
      days.forEach((day, index) => {
        if (typeof day === 'number' && days.indexOf(day) < index)
          context.addIssue({ code: 'custom', path: [index, 'day_of_week'], message: 'has already been taken' });
      });
    },
    // Also when another field is wrong: one response names them all.
    { when: ({ value }) => Array.isArray(value) },
  )
  .describe('Merged by day; omitted fields keep their values');

export function businessHoursMessage(entries: z.output<typeof businessHoursBody> | undefined) {
  return (entries ?? []).map((change) => ({
    dayOfWeek: change.day_of_week,
    open: change.open,
    openingAt: change.opening_at,
    closingAt: change.closing_at,
    breaks: change.breaks && { breaks: change.breaks },
  }));
}
