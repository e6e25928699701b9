import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { TextField } from '../ui/field.tsx';
import { Coffee, X } from '../ui/icons/index.ts';
import styles from './business-hours-editor.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import {
  type BreakForm,
  breakParts,
  BREAKS_MAX,
  type DayForm,
  dayName,
  openPart,
  timePart,
  weekdayOf,
} from './business-hours-form.ts';

const TICKS = [0, 6, 12, 18, 24];

/** The hours of each day: a bar to look at, times to type. */
export function BusinessHoursEditor(props: {
  days: readonly DayForm[];
  timezone: string;
  /** The time that one looks at, as an input has it. */
  marked: string;
  onChange: (days: readonly DayForm[]) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { days, errorsOf, marked } = props;
  const change = (index: number, day: DayForm): void => props.onChange(days.with(index, day));
  const markedDay = weekdayOf(marked);
  return (
    <div className={styles['hours']}>
      <p className={styles['hint']}>
        {t('Times in {zone}, as 09:00. 24:00 is the end of the day.', { zone: props.timezone.replaceAll('_', ' ') })}
      </p>
      <div className={styles['ticks']} aria-hidden="true">
        {TICKS.map((hour) => (
          <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
      {days.map((day, index) => (
        <fieldset key={day.dayOfWeek} className={styles['day']}>
          <legend className={styles['legend']}>{dayName(day)}</legend>
          <label className={styles['name']}>
            <input
              type="checkbox"
              checked={day.open}
              onChange={(event) => change(index, { ...day, open: event.target.checked })}
            />
            {dayName(day)}
          </label>
          <Bar day={day} mark={markedDay === day.dayOfWeek ? timePart(marked) : undefined} />
          {day.open ? (
            <div className={styles['times']}>
              <TimeField
                label={t('From')}
                value={day.opensAt}
                errors={errorsOf(`business_hours[${index}].opening_at`)}
                onChange={(opensAt) => change(index, { ...day, opensAt })}
              />
              <span aria-hidden="true">–</span>
              <TimeField
                label={t('To')}
                value={day.closesAt}
                errors={errorsOf(`business_hours[${index}].closing_at`)}
                onChange={(closesAt) => change(index, { ...day, closesAt })}
              />
            </div>
          ) : (
            <span className={styles['closed']}>{t('Closed')}</span>
          )}
          {day.open && (
            <span className={styles['add-break']}>
              <IconButton
                label={t('Add a break on {day}', { day: dayName(day) })}
                icon={Coffee}
                isDisabled={day.breaks.length >= BREAKS_MAX}
                onPress={() => change(index, { ...day, breaks: [...day.breaks, { from: '12:00', to: '12:30' }] })}
              />
            </span>
          )}
          {day.open &&
            day.breaks.map((pause, place) => (
              <Break
                key={place}
                pause={pause}
                errors={[
                  ...(errorsOf(`business_hours[${index}].breaks[${place}]`) ?? []),
                  ...(errorsOf(`business_hours[${index}].breaks[${place}].from`) ?? []),
                  ...(errorsOf(`business_hours[${index}].breaks[${place}].to`) ?? []),
                ]}
                onChange={(changed) => change(index, { ...day, breaks: day.breaks.with(place, changed) })}
                onRemove={() => change(index, { ...day, breaks: day.breaks.toSpliced(place, 1) })}
              />
            ))}
        </fieldset>
      ))}
    </div>
  );
}

function TimeField(props: {
  label: string;
  value: string;
  errors?: readonly string[] | undefined;
  onChange: (time: string) => void;
}): ReactNode {
  return <TextField {...props} hideLabel maxLength={5} onChange={({ target }) => props.onChange(target.value)} />;
}

/** A closed part of the opening time, such as lunch. */
function Break(props: {
  pause: BreakForm;
  errors: readonly string[];
  onChange: (pause: BreakForm) => void;
  onRemove: () => void;
}): ReactNode {
  const { pause } = props;
  return (
    <div className={styles['break']}>
      <span className={styles['closed']}>{t('Break')}</span>
      <div className={styles['times']}>
        <TimeField
          label={t('Break from')}
          value={pause.from}
          errors={props.errors}
          onChange={(from) => props.onChange({ ...pause, from })}
        />
        <span aria-hidden="true">–</span>
        <TimeField label={t('Break to')} value={pause.to} onChange={(to) => props.onChange({ ...pause, to })} />
      </div>
      <IconButton label={t('Remove the break')} icon={X} onPress={props.onRemove} />
    </div>
  );
}

/** The open part of a day, of 24 hours. */
function Bar({ day, mark }: { day: DayForm; mark: number | undefined }): ReactNode {
  const open = openPart(day);
  return (
    <span className={styles['track']} aria-hidden="true">
      {open && (
        <span
          className={styles['open']}
          style={{ left: `${open.from * 100}%`, width: `${(open.to - open.from) * 100}%` }}
        />
      )}
      {breakParts(day).map(({ from, to }) => (
        <span key={from} className={styles['gap']} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
      ))}
      {mark !== undefined && <span className={styles['mark']} style={{ left: `${mark * 100}%` }} />}
    </span>
  );
}
