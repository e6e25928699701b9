import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { TextArea, TextField } from '../ui/field.tsx';
import { Fields, Form } from '../ui/form.tsx';
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
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => props.onSubmit(typedIn(typed))}
      submitLabel={props.submitLabel}
      button={{ variant: props.isMain ? 'primary' : 'secondary' }}
      moreActions={props.children}
    >
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
    </Form>
  );
}

function typedIn(data: FormData): TypedContact {
  const fields = CONTACT_FIELDS.map((field) => [field, String(data.get(field) ?? '')]);
  return Object.fromEntries(fields) as unknown as TypedContact;
}
