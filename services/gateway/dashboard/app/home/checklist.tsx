import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { businessNumbersQuery, employeesQuery } from '../api/shared-queries.ts';
import { t, tn } from '../i18n/translate.ts';
import { softphone } from '../phone/softphone.ts';
import { session } from '../session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { SMALL } from '../ui/icon.ts';
import { Check, X } from '../ui/icons/index.ts';
import styles from './checklist.module.css';
import text from '../ui/text.module.css';

const HIDDEN_KEY = `parley.checklist.${session.employeeId}`;

interface Step {
  readonly title: string;
  readonly detail: string;
  readonly isDone: boolean;
  /** A link to the page where it is done, or an action. */
  readonly action?: { readonly label: string; readonly href: string } | { readonly label: string; press(): void };
}

/** The steps that make a new company ready, until they are done; `otherwise` afterwards. */
export function Checklist(props: { otherwise: ReactNode }): ReactNode {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) === 'hidden');
  const steps = useSteps();
  if (!steps) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || done === steps.length) return props.otherwise;
  const next = steps.find(({ isDone, action }) => !isDone && action);
  return (
    <section className={styles['checklist']} aria-label={t('Finish setting up')}>
      <header className={styles['head']}>
        <h2>{t('Finish setting up')}</h2>
        <span className={text['meta']}>{t('{done} of {all}', { done, all: steps.length })}</span>
        <IconButton
          label={t('Hide')}
          icon={X}
          onPress={() => {
            localStorage.setItem(HIDDEN_KEY, 'hidden');
            setIsHidden(true);
          }}
        />
      </header>
      <div className={styles['progress']} aria-hidden="true">
        {steps.map(({ title }, index) => (
          <span key={title} className={index < done ? styles['full'] : undefined} />
        ))}
      </div>
      <ul>
        {steps.map((step) => (
          <li key={step.title} className={classes(styles['step'], step.isDone && styles['done'])}>
            <span className={styles['mark']}>{step.isDone && <Check {...SMALL} />}</span>
            <div>
              <p className={styles['title']}>
                {step.title}
                {step.isDone && <span className={text['unseen']}>, {t('done')}</span>}
              </p>
              <p className={text['meta']}>{step.detail}</p>
              {step === next && step.action && <Action action={step.action} />}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Action({ action }: { action: NonNullable<Step['action']> }): ReactNode {
  if ('press' in action)
    return (
      <Button size="s" variant="primary" onPress={() => action.press()}>
        {action.label}
      </Button>
    );
  return (
    <ButtonLink href={`~/dashboard${action.href}`} size="s" variant="primary">
      {action.label}
    </ButtonLink>
  );
}

function useSteps(): readonly Step[] | undefined {
  const { data: numbers } = useQuery(businessNumbersQuery);
  const { data: employees } = useQuery(employeesQuery);
  const { data: contacts } = useQuery({
    queryKey: [...queryKeys.contacts, 'any'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/contacts', { params: { query: { limit: '1' } }, signal })),
  });
  const { data: calls } = useQuery({
    queryKey: [...queryKeys.calls, 'any'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/calls', { params: { query: { limit: 1 } }, signal })),
  });
  const { isEnabled } = softphone.useState();
  if (!numbers || !employees || !contacts || !calls) return undefined;
  const hasCalls = calls.calls.length > 0;
  const [first] = numbers;
  const joined = employees.filter(({ invitation_pending: isPending }) => !isPending).length;
  return [
    {
      title: t('Get your first number'),
      detail: first ? `${first.number_formatted}, ${first.name}` : t('Ask your operator for one.'),
      isDone: first !== undefined,
    },
    {
      title: t('Invite your team'),
      detail:
        employees.length > 1
          ? tn(joined, '{count} person joined', '{count} people joined')
          : t('Calls can ring for several people at once.'),
      isDone: employees.length > 1,
      action: { label: t('Invite a coworker'), href: '/team' },
    },
    {
      title: t('Take calls in this browser'),
      detail: t('It rings here when somebody calls your numbers.'),
      isDone: isEnabled,
      action: { label: t('Switch on'), press: () => void softphone.setAvailable(true) },
    },
    {
      title: t('Make a test call'),
      detail: hasCalls ? t('The first call has arrived.') : t('Call your number and hear what callers hear.'),
      isDone: hasCalls,
      action: session.sandboxUrl === null ? undefined : { label: t('Open the sandbox'), href: '/sandbox' },
    } as Step,
    {
      title: t('Add your contacts'),
      detail: t('See who calls before you answer.'),
      isDone: contacts.length > 0,
      action: { label: t('New contact'), href: '/contacts/new' },
    },
  ];
}
