import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { assistantsQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { SelectField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';
import text from '../ui/text.module.css';

/** Which of the company's assistants answers; the only one is chosen at once. */
export function AssistantChoice(props: {
  /** Empty: none is chosen yet. */
  chosenId: string;
  onChange: (assistant: { readonly id: string; readonly name: string }) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { chosenId, onChange } = props;
  const { data: assistants, error, refetch } = useQuery(assistantsQuery);
  const only = assistants?.length === 1 ? assistants[0] : undefined;
  const chooseOnly = useEffectEvent(() => {
    if (only && chosenId === '') onChange({ id: only.id, name: only.name });
  });
  useEffect(() => chooseOnly(), [only?.id, chosenId]);
  if (!assistants) return error ? <Failure error={error} onRetry={refetch} /> : <SkeletonBar />;
  return (
    <SelectField
      label={t('Assistant')}
      value={chosenId}
      {...(assistants.length === 0 && { hint: <NoAssistant /> })}
      errors={props.errors}
      onChange={({ target }) => {
        const chosen = assistants.find(({ id }) => id === target.value);
        if (chosen) onChange({ id: chosen.id, name: chosen.name });
      }}
    >
      {chosenId === '' && <option value="">{t('Choose an assistant')}</option>}
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
