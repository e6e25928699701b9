import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Employee } from '../api/schema.d.ts';
import { number, shortTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { useEmployees } from '../live/use-employees.ts';
import { CallButton } from '../phone/call-button.tsx';
import { isAdmin, isOwner, mayManage, session } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge, Dot, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MEDIUM } from '../ui/icon.ts';
import { Mail, UserCheck, UserMinus, UserPlus, UserX } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Switch } from '../ui/switch.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useChangeDoNotDisturb, useReactivate } from './employee-queries.ts';
import { EmployeeRole } from './employee-role.tsx';
import { listedEmployees, presenceCounts, presenceTone, statusText } from './employee-status.ts';
import { useRingsFor } from './rings-for.ts';
import styles from './team.module.css';

/** Loaded when they are opened: a dialog needs much that a list does not. */
const InviteEmployee = lazy(() => import('./invite-employee.tsx'));
const DeactivateEmployee = lazy(() => import('./deactivate-employee.tsx'));
const RemoveEmployee = lazy(() => import('./remove-employee.tsx'));

/** From this many on, the team can be searched. */
const SEARCHABLE_MIN = 8;

export default function Team(): ReactNode {
  const employees = useEmployees();
  const [inviting, setInviting] = useState(false);
  const [deactivating, setDeactivating] = useState<Employee>();
  const [removing, setRemoving] = useState<Employee>();
  const [search, setSearch] = useState('');
  const { data = [] } = employees;
  const invite = () => setInviting(true);
  return (
    <Page
      title={t('Team')}
      actions={
        <>
          {data.length >= SEARCHABLE_MIN && (
            <SearchField label={t('Search team')} value={search} onChange={setSearch} />
          )}
          {isAdmin && (
            <Button variant="primary" icon={UserPlus} onPress={invite}>
              {t('Invite employee')}
            </Button>
          )}
        </>
      }
      toolbar={<Presence employees={data} />}
    >
      <QueryState query={employees}>
        {(all) => (
          <>
            <EmployeeTable
              employees={listedEmployees(all, session.employeeId, search)}
              onDeactivate={setDeactivating}
              onRemove={setRemoving}
            />
            {all.length === 1 && (
              <EmptyState
                icon={UserPlus}
                title={t('You are the first here.')}
                action={<Button onPress={() => setInviting(true)}>{t('Invite the first coworker')}</Button>}
              >
                {t('Invite the first coworker: they get an e-mail and can take calls a minute later.')}
              </EmptyState>
            )}
          </>
        )}
      </QueryState>
      <Suspense fallback={null}>
        {inviting && <InviteEmployee onClose={() => setInviting(false)} />}
        {deactivating && <DeactivateEmployee employee={deactivating} onClose={() => setDeactivating(undefined)} />}
        {removing && <RemoveEmployee employee={removing} onClose={() => setRemoving(undefined)} />}
      </Suspense>
    </Page>
  );
}

function Presence({ employees }: { employees: readonly Employee[] }): ReactNode {
  const counts = presenceCounts(employees);
  const shown: readonly (readonly [Tone, number, string])[] = [
    ['good', counts.available, t('available')],
    ['accent', counts.busy, t('on the phone')],
    ['warn', counts.doNotDisturb, t('do not disturb')],
    ['neutral', counts.away, t('away')],
  ];
  return (
    <ul className={styles['presence']} aria-label={t('Presence')}>
      {shown.map(([tone, count, words]) => (
        <li key={tone}>
          <Dot tone={tone} />
          <strong>{number(count)}</strong> {words}
        </li>
      ))}
    </ul>
  );
}

function EmployeeTable(props: {
  employees: readonly Employee[];
  onDeactivate: (employee: Employee) => void;
  onRemove: (employee: Employee) => void;
}): ReactNode {
  const { employees } = props;
  const ringsFor = useRingsFor();
  const columns = [
    { label: t('Name') },
    { label: t('Status') },
    { label: t('Rings for') },
    { label: t('Role') },
    { label: t('Do not disturb') },
    { label: t('Actions'), hideLabel: true },
  ];
  return (
    <PageTable className={styles['table']}>
      <Table label={t('Employees')} columns={columns}>
        {employees.map((employee) => (
          <EmployeeRow
            key={employee.id}
            employee={employee}
            ringsFor={ringsFor.get(employee.id) ?? []}
            onDeactivate={() => props.onDeactivate(employee)}
            onRemove={() => props.onRemove(employee)}
          />
        ))}
      </Table>
    </PageTable>
  );
}

function EmployeeRow(props: {
  employee: Employee;
  ringsFor: readonly string[];
  onDeactivate: () => void;
  onRemove: () => void;
}): ReactNode {
  const { employee } = props;
  const { id, name, email, phone, invitation_pending: isInvited } = employee;
  const nameId = useId();
  const isOwn = id === session.employeeId;
  return (
    <Row>
      <Cell isName>
        <span className={styles['person']}>
          {isInvited ? (
            <span className={styles['letter']}>
              <Mail {...MEDIUM} />
            </span>
          ) : (
            <Avatar id={id} name={name} size={32} presence={presenceTone(employee)} />
          )}
          <span className={styles['who']}>
            <span id={nameId} className={styles['name']}>
              <bdi>{name}</bdi>
              {isOwn && <span className={styles['you']}> {t('you')}</span>}
            </span>
            <span className={styles['email']}>
              <bdi>{email}</bdi>
              {employee.email_confirmation_pending && (
                <>
                  {' '}
                  ·{' '}
                  {isOwner ? (
                    <Link href={`~/dashboard/addresses/${id}`}>{t('Not confirmed')}</Link>
                  ) : (
                    t('Not confirmed')
                  )}
                </>
              )}
            </span>
          </span>
        </span>
      </Cell>
      <Cell>
        <Status employee={employee} />
      </Cell>
      <Cell>{props.ringsFor.length > 0 && <bdi>{props.ringsFor.join(', ')}</bdi>}</Cell>
      <Cell>
        <EmployeeRole employee={employee} />
      </Cell>
      <Cell label={t('Do not disturb')}>
        {employee.active && (!isInvited || employee.do_not_disturb || isAdmin) && (
          <DoNotDisturb employee={employee} isOwn={isOwn} />
        )}
      </Cell>
      <Cell align="end">
        <span className={styles['actions']}>
          {!isOwn && phone && <CallButton phoneNumber={phone} iconOnly />}
          {!isOwn && mayManage(employee) && (
            <Activity employee={employee} describedBy={nameId} onDeactivate={props.onDeactivate} />
          )}
          {!isOwn && mayManage(employee) && (
            <IconButton label={t('Remove')} icon={UserMinus} aria-describedby={nameId} onPress={props.onRemove} />
          )}
        </span>
      </Cell>
    </Row>
  );
}

function Activity(props: { employee: Employee; describedBy: string; onDeactivate: () => void }): ReactNode {
  const reactivation = useReactivate(props.employee);
  if (props.employee.active)
    return (
      <IconButton
        label={t('Deactivate')}
        icon={UserX}
        aria-describedby={props.describedBy}
        onPress={props.onDeactivate}
      />
    );
  return (
    <IconButton
      label={t('Reactivate')}
      icon={UserCheck}
      aria-describedby={props.describedBy}
      isDisabled={reactivation.isPending}
      onPress={() => reactivation.mutate()}
    />
  );
}

function Status({ employee }: { employee: Employee }): ReactNode {
  if (!employee.active) return <Badge tone="warn">{t('Deactivated')}</Badge>;
  if (employee.invitation_pending && employee.status !== 'available')
    return <Badge>{t('Invited, {when}', { when: shortTime(new Date(employee.created_at)) })}</Badge>;
  return (
    <span className={styles['status']}>
      <span className={classes(styles['state'], styles[presenceTone(employee)])}>{statusText(employee)}</span>
      {employee.do_not_disturb_expires_at && (
        <span className={styles['since']}>
          {t('until')} <Time at={employee.do_not_disturb_expires_at} withTime />
        </span>
      )}
    </span>
  );
}

function DoNotDisturb({ employee, isOwn }: { employee: Employee; isOwn: boolean }): ReactNode {
  const change = useChangeDoNotDisturb(employee);
  if (!isOwn && !isAdmin) return employee.do_not_disturb ? t('On') : null;
  return (
    <Switch
      label={t('Do not disturb, {name}', { name: employee.name })}
      hideLabel
      checked={change.isPending ? change.variables : employee.do_not_disturb}
      onChange={(enabled) => change.mutate(enabled)}
    />
  );
}
