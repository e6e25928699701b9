import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { announce } from './announcements.tsx';
import { FormActions } from './form.tsx';
import styles from './form.module.css';
import { FormFailure } from './form-failure.tsx';
import { Section } from './page.tsx';
import type { Draft } from './use-draft.ts';
import { UnsavedNotice } from './unsaved-notice.tsx';
import { type Submit, useSubmit } from './use-submit.ts';

/** A part of a page that is edited and saved by itself. What was typed stays until the API has accepted it. */
export function DraftSection<Value, Saved>(props: {
  title: string;
  draft: Draft<Value>;
  save: (value: Value) => Promise<Saved>;
  /** Before the edits are replaced by the saved value. */
  onSaved: (saved: Saved) => void;
  children: (errorsOf: Submit<Value>['errorsOf']) => ReactNode;
}): ReactNode {
  const { title, draft } = props;
  const { submit, pending, errorsOf, error, form, reset } = useSubmit(props.save, (saved, submitted: Value) => {
    props.onSaved(saved);
    draft.accept(submitted);
    announce(`${title}: saved.`);
  });
  function discard(): void {
    draft.discard();
    reset();
  }
  return (
    <Section title={title}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) submit(draft.value);
        }}
      >
        <FormFailure error={error} form={form} />
        {props.children(errorsOf)}
        {draft.isOutdated && (
          <p role="status" className={styles['notice']}>
            {t('This was changed elsewhere while you edited it. Saving replaces that change.')}
          </p>
        )}
        <FormActions>
          <Button type="submit" variant="primary" busy={pending}>
            {t('Save')}
          </Button>
          <UnsavedNotice unsaved={{ isChanged: draft.isChanged, discard }} />
        </FormActions>
      </form>
    </Section>
  );
}
