import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button, type ButtonProps } from './button.tsx';
import { classes } from './classes.ts';
import styles from './form.module.css';
import { Failure } from './query-state.tsx';
import text from './text.module.css';
import type { UnsavedEdits } from './use-unsaved-form.ts';
import type { Submit } from './use-submit.ts';

export interface FormProps<Input> {
  readonly sending: Submit<Input>;
  /** Called with what is typed, never while it is being sent. */
  readonly onSubmit: (typed: FormData) => void;
  /** Without one the form has a button among its children. */
  readonly submitLabel?: string;
  readonly button?: Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'isDisabled'>;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A form that `useSubmit` sends: says why it was not accepted, and that it has unsaved edits. */
export function Form<Input>(
  props: FormProps<Input> & {
    /** After the button that submits. */
    moreActions?: ReactNode;
    /** The buttons, if they are not below the fields as usual. */
    actions?: (submit: ReactNode) => ReactNode;
  },
): ReactNode {
  const { form, pending, error, unsaved } = props.sending;
  const submit = props.submitLabel !== undefined && (
    <Button type="submit" variant="primary" {...props.button} busy={pending}>
      {props.submitLabel}
    </Button>
  );
  return (
    <form
      ref={form}
      noValidate
      className={props.className}
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) props.onSubmit(new FormData(event.currentTarget));
      }}
    >
      <FormFailure error={error} form={form} />
      {props.children}
      {submit && props.actions?.(submit)}
      {submit && !props.actions && (
        <FormActions>
          {submit}
          {props.moreActions}
          {unsaved.isChanged && <UnsavedNotice unsaved={unsaved} />}
        </FormActions>
      )}
    </form>
  );
}

/** What is typed into a field, without spaces around it. */
export function textIn(typed: FormData, name: string): string {
  return String(typed.get(name) ?? '').trim();
}

/** The fields of a form below each other; short ones beside each other where there is room. */
export function Fields({ areShort = false, children }: { areShort?: boolean; children: ReactNode }): ReactNode {
  return <div className={classes(styles['fields'], areShort && styles['short'])}>{children}</div>;
}

/** The buttons of a form; *Save* is of the type `submit`. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['actions']}>{children}</div>;
}

/** Why a form was not accepted. Messages that its fields show themselves are not repeated. */
export function FormFailure(props: { error: Error | null; form: RefObject<HTMLFormElement | null> }): ReactNode {
  const { error, form } = props;
  const [isAtFields, setIsAtFields] = useState(false);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- whether a field shows a message is known once it is rendered
    setIsAtFields(Boolean(form.current?.querySelector('[data-field-error]')));
  }, [error, form]);
  if (!error) return null;
  return (
    <div className={styles['failure']}>
      <Failure error={isAtFields ? new Error(t('This was not saved. Check the marked fields.')) : error} />
    </div>
  );
}

/** Says that a form has edits, and gives a way back. */
function UnsavedNotice({ unsaved }: { unsaved: UnsavedEdits }): ReactNode {
  return (
    <>
      <Button
        variant="ghost"
        onPress={({ target }) => {
          // This button goes: the focus stays in the form.
          target.closest('form')?.querySelector<HTMLElement>('button[type=submit]')?.focus();
          unsaved.discard();
        }}
      >
        {t('Discard changes')}
      </Button>
      <span className={text['meta']}>{t('Changes are kept in this window until you save or discard them.')}</span>
    </>
  );
}
