import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { companyQuery } from '../api/shared-queries.ts';
import type { Closure } from '../api/schema.d.ts';
import { calendarDate } from '../i18n/format.ts';
import { t, tn } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { addClosure, closuresChanged, holidaysQuery } from './closure-queries.ts';
import { missingHolidays } from './closure-text.ts';

interface Holiday {
  readonly date: string;
  readonly name: string;
}

/** Proposes the public holidays of the company's country. Nothing is closed that was not chosen. */
export function AddHolidays(props: { numberId: string; known: readonly Closure[]; onClose: () => void }): ReactNode {
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const thisYear = Number(today.slice(0, 4));
  const [year, setYear] = useState(thisYear);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { data: company } = useQuery(companyQuery);
  const holidays = useQuery({ ...holidaysQuery(company?.country ?? '', year), enabled: company !== undefined });
  const add = useMutation({
    mutationFn: async (wanted: readonly Holiday[]) => {
      for (const { date, name } of wanted) await addClosure(props.numberId, { name, from: date, to: date });
      return wanted.length;
    },
    onSuccess: (count) => {
      announce(tn(count, '{count} holiday is added.', '{count} holidays are added.'));
      props.onClose();
    },
    // Some may have been added before one failed.
    onSettled: () => closuresChanged(props.numberId),
  });
  return (
    <Dialog title={t('Public holidays')} onClose={props.onClose}>
      {add.error && <Failure error={add.error} />}
      <Fields>
        <SelectField
          label={t('Year')}
          value={year}
          onChange={(event) => {
            setYear(Number(event.target.value));
            setChosen([]);
          }}
        >
          {[thisYear, thisYear + 1, thisYear + 2].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <QueryState query={holidays}>
          {(list) => {
            const missing = missingHolidays(list, props.known, today);
            return missing.length === 0 ? (
              <p>{t('All public holidays of this year are closed days already, or over.')}</p>
            ) : (
              <CheckboxGroup
                label={t('Closed on')}
                options={missing.map(({ date, name }) => ({ value: date, label: name, detail: calendarDate(date) }))}
                selected={chosen}
                onChange={setChosen}
              />
            );
          }}
        </QueryState>
      </Fields>
      <DialogActions>
        <Button onPress={props.onClose}>{t('Cancel')}</Button>
        <Button
          variant="primary"
          busy={add.isPending}
          isDisabled={chosen.length === 0}
          onPress={() => add.mutate((holidays.data ?? []).filter(({ date }) => chosen.includes(date)))}
        >
          {t('Add')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
