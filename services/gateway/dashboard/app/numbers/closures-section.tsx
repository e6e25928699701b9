import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { api, ok } from '../api/client.ts';
import type { BusinessNumber, Closure } from '../api/schema.d.ts';
import { companyQuery } from '../api/shared-queries.ts';
import { calendarDate } from '../i18n/format.ts';
import { t, tn } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Dialog, DialogActions, FormDialog } from '../ui/dialog.tsx';
import { DayField, SelectField, TextField } from '../ui/field.tsx';
import { Fields, textIn } from '../ui/form.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MEDIUM } from '../ui/icon.ts';
import { CalendarOff, Plus, Trash2 } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { addClosure, closuresChanged, closuresQuery, holidaysQuery, type NewClosure } from './closure-queries.ts';
import { closureDays, missingHolidays } from './closure-text.ts';
import styles from './closures-section.module.css';

/** Days on which the number is closed whatever its hours say. Each takes effect by itself, without *Save*. */
export function ClosuresSection({ number }: { number: BusinessNumber }): ReactNode {
  const closures = useQuery(closuresQuery(number.id));
  const [adding, setAdding] = useState<'days' | 'holidays'>();
  return (
    <div className={styles['closures']}>
      <Section
        title={t('Closed days')}
        description={t('On these days calls and texts are outside business hours.')}
        actions={
          <span className={styles['actions']}>
            <Button size="s" onPress={() => setAdding('holidays')}>
              {t('Public holidays')}
            </Button>
            <Button size="s" icon={Plus} onPress={() => setAdding('days')}>
              {t('Add closed days')}
            </Button>
          </span>
        }
      >
        <QueryState
          query={closures}
          empty={
            <p className={styles['none']}>
              <CalendarOff {...MEDIUM} /> {t('No closed days.')}
            </p>
          }
        >
          {(list) => (
            <ul className={styles['list']} aria-label={t('Closed days')}>
              {list.map((closure) => (
                <ClosureItem key={closure.id} numberId={number.id} closure={closure} />
              ))}
            </ul>
          )}
        </QueryState>
      </Section>
      {adding === 'days' && <AddClosure numberId={number.id} onClose={() => setAdding(undefined)} />}
      {adding === 'holidays' && (
        <AddHolidays numberId={number.id} known={closures.data ?? []} onClose={() => setAdding(undefined)} />
      )}
    </div>
  );
}

function ClosureItem({ numberId, closure }: { numberId: string; closure: Closure }): ReactNode {
  const nameId = useId();
  const remove = useMutation({
    mutationFn: () =>
      ok(
        api.DELETE('/api/v1/business_numbers/{id}/closures/{closure_id}', {
          params: { path: { id: numberId, closure_id: closure.id } },
        }),
      ),
    onSuccess: () => {
      const { name, from, to } = closure;
      announce(t('{name} is removed: the number is open as on other days.', { name }), async () => {
        await addClosure(numberId, { name, from, to });
        await closuresChanged(numberId);
      });
      return closuresChanged(numberId);
    },
    onError: (error) => announce(error.message),
  });
  return (
    <li className={styles['item']}>
      <span id={nameId} className={styles['name']}>
        <bdi>{closure.name}</bdi>
      </span>
      <span className={styles['days']}>{closureDays(closure)}</span>
      <IconButton
        label={t('Remove')}
        icon={Trash2}
        aria-describedby={nameId}
        isDisabled={remove.isPending}
        onPress={() => remove.mutate()}
      />
    </li>
  );
}

function AddClosure(props: { numberId: string; onClose: () => void }): ReactNode {
  const sending = useSubmit(
    (closure: NewClosure) => addClosure(props.numberId, closure),
    ({ name }) => {
      announce(t('{name} is added.', { name }));
      props.onClose();
      return closuresChanged(props.numberId);
    },
  );
  const { errorsOf } = sending;
  function add(typed: FormData): void {
    const text = (field: string) => textIn(typed, field);
    sending.submit({ name: text('name'), from: text('from'), to: text('to') || text('from') });
  }
  return (
    <FormDialog
      title={t('Add closed days')}
      onClose={props.onClose}
      sending={sending}
      onSubmit={add}
      submitLabel={t('Add')}
    >
      <Fields>
        <TextField
          label={t('Name')}
          name="name"
          autoFocus
          maxLength={128}
          errors={errorsOf('name')}
          hint={t('Such as “Summer holiday”.')}
        />
        <div className={styles['dates']}>
          <DayField label={t('First day')} name="from" errors={errorsOf('from')} />
          <DayField label={t('Last day')} name="to" errors={errorsOf('to')} hint={t('Empty for one day.')} />
        </div>
      </Fields>
    </FormDialog>
  );
}

interface Holiday {
  readonly date: string;
  readonly name: string;
}

/** Proposes the public holidays of the company's country. Nothing is closed that was not chosen. */
function AddHolidays(props: { numberId: string; known: readonly Closure[]; onClose: () => void }): ReactNode {
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
