import type { FormEvent, ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Fields, FormActions } from '../ui/form.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { UnsavedNotice } from '../ui/unsaved-notice.tsx';
import type { Submit } from '../ui/use-submit.ts';
import { CONTACT_FIELDS, type ContactField, type TypedContact } from './contact-fields.ts';

/** The fields keep what is typed. */
export function ContactForm<Input>(props: {
  initial: TypedContact;
  sending: Submit<Input>;
  onSubmit: (typed: TypedContact) => void;
  submitLabel: string;
  /** One filled button in a view. */
  isMain?: boolean;
  autoFocus?: boolean;
  children?: ReactNode;
}): ReactNode {
  const { initial, sending } = props;
  const field = (name: ContactField) => ({ name, defaultValue: initial[name], errors: sending.errorsOf(name) });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!sending.pending) props.onSubmit(typedIn(event.currentTarget));
  }
  return (
    <form ref={sending.form} onSubmit={submit} noValidate>
      <FormFailure error={sending.error} form={sending.form} />
      <Fields>
        <TextField label={t('Name')} {...field('name')} autoFocus={props.autoFocus} />
        <TextField
          label={t('Phone number')}
          type="tel"
          hint={t('With country code, or as written in your country.')}
          {...field('phone')}
        />
        <TextField label={t('Email')} type="email" {...field('email')} />
        <TextField label={t('Company')} {...field('company_name')} />
        <TextArea label={t('Note')} rows={4} {...field('note')} />
      </Fields>
      <FormActions>
        <Button type="submit" variant={props.isMain ? 'primary' : 'secondary'} busy={sending.pending}>
          {props.submitLabel}
        </Button>
        {props.children}
        <UnsavedNotice unsaved={sending.unsaved} />
      </FormActions>
    </form>
  );
}

function typedIn(form: HTMLFormElement): TypedContact {
  const data = new FormData(form);
  const fields = CONTACT_FIELDS.map((field) => [field, String(data.get(field) ?? '')]);
  return Object.fromEntries(fields) as unknown as TypedContact;
}
