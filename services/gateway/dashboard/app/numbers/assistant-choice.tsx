import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { assistantsQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { SelectField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';
import text from '../ui/text.module.css';

/** Which of the company's assistants answers. */
export function AssistantChoice(props: {
  /** Empty: none is chosen yet. */
  chosenId: string;
  onChange: (assistant: { readonly id: string; readonly name: string }) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { data: assistants, error, refetch } = useQuery(assistantsQuery);
  if (!assistants) return error ? <Failure error={error} onRetry={refetch} /> : <SkeletonBar />;
  return (
    <SelectField
      label={t('Assistant')}
      value={props.chosenId}
      {...(assistants.length === 0 && { hint: <NoAssistant /> })}
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

function NoAssistant(): ReactNode {
  return (
    <>
      {t('There is no assistant yet.')}{' '}
      <Link href="~/dashboard/assistant/new" className={text['link']}>
        {t('Create the first assistant')}
      </Link>
    </>
  );
}
