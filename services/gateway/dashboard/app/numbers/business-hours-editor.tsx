import type { ReactNode } from 'react';
import { TextField } from '../ui/field.tsx';
import type { DayForm } from './business-hours-form.ts';

export function BusinessHoursEditor(props: {
  days: readonly DayForm[];
  timezone: string;
  onChange: (days: readonly DayForm[]) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { days, errorsOf } = props;
  const change = (index: number, day: DayForm): void => props.onChange(days.with(index, day));
  return (
    <>
      <p className="hint">Times in {props.timezone}, as 09:00. 24:00 is the end of the day.</p>
      {days.map((day, index) => (
        <fieldset key={day.dayOfWeek} className="day">
          <legend className="visually-hidden">{day.name}</legend>
          <label className="check">
            <input
              type="checkbox"
              checked={day.open}
              onChange={(event) => change(index, { ...day, open: event.target.checked })}
            />
            {day.name}
          </label>
          {day.open ? (
            <>
              <TextField
                label="From"
                maxLength={5}
                value={day.opensAt}
                errors={errorsOf(`business_hours[${index}].opening_at`)}
                onChange={(event) => change(index, { ...day, opensAt: event.target.value })}
              />
              <TextField
                label="To"
                maxLength={5}
                value={day.closesAt}
                errors={errorsOf(`business_hours[${index}].closing_at`)}
                onChange={(event) => change(index, { ...day, closesAt: event.target.value })}
              />
            </>
          ) : (
            <span className="soft">Closed</span>
          )}
        </fieldset>
      ))}
    </>
  );
}
