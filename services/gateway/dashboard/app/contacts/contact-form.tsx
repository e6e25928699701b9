import type { FormEvent, ReactNode } from 'react';
import { TextArea, TextField } from '../ui/field.tsx';
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
  autoFocus?: boolean;
  children?: ReactNode;
}): ReactNode {
  const { initial, sending } = props;
  const field = (name: ContactField) => ({ name, defaultValue: initial[name], errors: sending.errorsOf(name) });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    props.onSubmit(typedIn(event.currentTarget));
  }
  return (
    <form ref={sending.form} onSubmit={submit} noValidate>
      <FormFailure error={sending.error} form={sending.form} />
      <TextField label="Name" {...field('name')} autoFocus={props.autoFocus} />
      <TextField
        label="Phone number"
        type="tel"
        hint="With country code, or as written in your country."
        {...field('phone')}
      />
      <TextField label="Email" type="email" {...field('email')} />
      <TextField label="Company" {...field('company_name')} />
      <TextArea label="Note" rows={5} {...field('note')} />
      <div className="actions">
        <button disabled={sending.pending}>{props.submitLabel}</button>
        {props.children}
        <UnsavedNotice unsaved={sending.unsaved} />
      </div>
    </form>
  );
}

function typedIn(form: HTMLFormElement): TypedContact {
  const data = new FormData(form);
  const fields = CONTACT_FIELDS.map((field) => [field, String(data.get(field) ?? '')]);
  return Object.fromEntries(fields) as unknown as TypedContact;
}
