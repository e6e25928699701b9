import type { FormEvent, ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { DayField, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { addClosure, closuresChanged, type NewClosure } from './closure-queries.ts';
import styles from './closures-section.module.css';

export function AddClosure(props: { numberId: string; onClose: () => void }): ReactNode {
  const { submit, pending, errorsOf, error, form } = useSubmit(
    (closure: NewClosure) => addClosure(props.numberId, closure),
    ({ name }) => {
      announce(t('{name} is added.', { name }));
      props.onClose();
      return closuresChanged(props.numberId);
    },
  );
  function add(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (pending) return;
    const typed = new FormData(event.currentTarget);
    const text = (field: string) => String(typed.get(field) ?? '').trim();
    submit({ name: text('name'), from: text('from'), to: text('to') || text('from') });
  }
  return (
    <Dialog title={t('Add closed days')} onClose={props.onClose}>
      <form ref={form} onSubmit={add} noValidate>
        <FormFailure error={error} form={form} />
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
        <DialogActions>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={pending}>
            {t('Add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
