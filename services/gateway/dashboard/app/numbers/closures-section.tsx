import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { api, ok } from '../api/client.ts';
import type { BusinessNumber, Closure } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { DayField, TextField } from '../ui/field.tsx';
import { Fields, textIn } from '../ui/form.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MEDIUM } from '../ui/icon.ts';
import { CalendarOff, Plus, Trash2 } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AddHolidays } from './add-holidays.tsx';
import { addClosure, closuresChanged, closuresQuery, type NewClosure } from './closure-queries.ts';
import { closureDays } from './closure-text.ts';
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
