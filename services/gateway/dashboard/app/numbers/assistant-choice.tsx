import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { assistantsQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { ButtonLink } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Plus } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';
import text from '../ui/text.module.css';
import styles from './call-flow-editor.module.css';

/** Which of the company's assistants answers. */
export function AssistantChoice(props: {
  /** Empty: none is chosen yet. */
  chosenId: string;
  onChange: (assistant: { readonly id: string; readonly name: string }) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { data: assistants, error, refetch } = useQuery(assistantsQuery);
  if (!assistants) return error ? <Failure error={error} onRetry={refetch} /> : <SkeletonBar />;
  if (assistants.length === 0)
    return (
      <div className={styles['none']}>
        <p className={text['meta']}>{t('There is no assistant yet.')}</p>
        <ButtonLink href="~/dashboard/assistant/new" size="s" icon={Plus}>
          {t('Create the first assistant')}
        </ButtonLink>
      </div>
    );
  return (
    <SelectField
      label={t('Assistant')}
      value={props.chosenId}
      errors={props.errors}
      onChange={({ target }) => {
        const chosen = assistants.find(({ id }) => id === target.value);
        if (chosen) props.onChange({ id: chosen.id, name: chosen.name });
      }}
    >
      {props.chosenId === '' && <option value="">{t('Choose an assistant')}</option>}
      {assistants.map(({ id, name, active }) => (
        <option key={id} value={id}>
          {active ? name : t('{name} (not active)', { name })}
        </option>
      ))}
    </SelectField>
  );
}
