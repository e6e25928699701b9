import { useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import type { Assistant } from '../api/schema.d.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { classes } from '../ui/classes.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import text from '../ui/text.module.css';
import type { AnsweredNumber } from './answered-numbers.ts';
import { ActionsSection } from './actions-section.tsx';
import { AssistantFacts } from './assistant-facts.tsx';
import styles from './assistant-page.module.css';
import { assistantQuery, cacheAssistant, useAnsweredNumbers } from './assistant-queries.ts';
import { AssistantState } from './assistant-state.tsx';
import { DeleteAssistant } from './delete-assistant.tsx';
import { GreetingSection } from './greeting-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { TryIt } from './try-it.tsx';

export default function AssistantPage({ id }: { id: string }): ReactNode {
  const assistant = useQuery(assistantQuery(id));
  return (
    <QueryState query={assistant} titleOfFailure={t('Assistant')}>
      {(data) => <AssistantDetails assistant={data} />}
    </QueryState>
  );
}

function AssistantDetails({ assistant }: { assistant: Assistant }): ReactNode {
  const { id, name } = assistant;
  const byAssistant = useAnsweredNumbers();
  const answered = byAssistant && (byAssistant.get(id) ?? []);
  return (
    <Page
      title={name}
      back={{ href: '~/dashboard/assistant', label: t('Assistant') }}
      actions={isAdmin && <DeleteAssistant assistant={assistant} />}
      toolbar={
        <>
          {isAdmin ? <ActiveSwitch assistant={assistant} /> : <AssistantState isActive={assistant.active} />}
          {answered && <UsedBy numbers={answered} />}
        </>
      }
      aside={isAdmin && <TryIt assistant={assistant} answered={answered?.[0]} />}
    >
      <div className={styles['sections']}>
        {isAdmin ? (
          <>
            <GreetingSection assistant={assistant} />
            <ActionsSection assistant={assistant} />
            <PeopleSection assistant={assistant} />
            <LimitsSection assistant={assistant} />
          </>
        ) : (
          <AssistantFacts assistant={assistant} />
        )}
      </div>
    </Page>
  );
}

function ActiveSwitch({ assistant }: { assistant: Assistant }): ReactNode {
  const change = useMutation({
    mutationFn: (active: boolean) =>
      ok(api.PATCH('/api/v1/assistants/{id}', { ...at(assistant.id), body: { active } })),
    onSuccess: cacheAssistant,
    onError: (error) => announce(error.message),
  });
  return (
    <Switch
      label={t('Active')}
      checked={change.isPending ? change.variables : assistant.active}
      onChange={(isActive) => change.mutate(isActive)}
    />
  );
}

/** The numbers that it answers, or how it gets one. */
function UsedBy({ numbers }: { numbers: readonly AnsweredNumber[] }): ReactNode {
  const { data: all = [] } = useQuery(businessNumbersQuery);
  const [first, second] = all;
  if (numbers.length === 0)
    return (
      <p className={classes(text['meta'], styles['used-by'])}>
        {t('No number has it answer yet. Choose it as the routing of a number:')}{' '}
        {first && !second ? (
          <NumberLink number={first} />
        ) : (
          <Link href="~/dashboard/numbers" className={text['link']}>
            {t('Numbers')}
          </Link>
        )}
      </p>
    );
  return (
    <p className={classes(text['meta'], styles['used-by'])}>
      {t('Answers calls to')}{' '}
      {numbers.map((number, index) => (
        <Fragment key={number.id}>
          {index > 0 && ', '}
          <NumberLink number={number} />
        </Fragment>
      ))}
    </p>
  );
}

function NumberLink({ number }: { number: AnsweredNumber }): ReactNode {
  return (
    <Link href={`~/dashboard/numbers/${encodeURIComponent(number.id)}`} className={text['link']}>
      <bdi>{number.name}</bdi>
    </Link>
  );
}
