import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { DayField, TextField } from '../ui/field.tsx';
import { Fields, textIn } from '../ui/form.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { addClosure, closuresChanged, type NewClosure } from './closure-queries.ts';
import styles from './closures-section.module.css';

export function AddClosure(props: { numberId: string; onClose: () => void }): ReactNode {
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
