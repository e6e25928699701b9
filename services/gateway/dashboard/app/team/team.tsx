import { type ReactNode, useId, useState } from 'react';
import type { Employee } from '../api/schema.d.ts';
import { isAdmin, isOwner, mayManage, session } from '../session.ts';
import { EmployeeRole } from './employee-role.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { Time } from '../ui/time.tsx';
import { useChangeDoNotDisturb, useEmployees } from './employee-queries.ts';
import { statusText } from './employee-status.ts';
import { InviteEmployee } from './invite-employee.tsx';
import { RemoveEmployee } from './remove-employee.tsx';

export function Team(): ReactNode {
  const employees = useEmployees();
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Employee>();
  return (
    <Page
      title="Team"
      actions={
        isAdmin && (
          <button type="button" onClick={() => setInviting(true)}>
            Invite employee
          </button>
        )
      }
    >
      <QueryState query={employees} what="team">
        {(data) => <EmployeeTable employees={data} onRemove={setRemoving} />}
      </QueryState>
      {inviting && <InviteEmployee onClose={() => setInviting(false)} />}
      {removing && <RemoveEmployee employee={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  );
}

function EmployeeTable(props: { employees: readonly Employee[]; onRemove: (employee: Employee) => void }): ReactNode {
  return (
    <div className="table-scroll">
      <table aria-label="Employees">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Status</th>
            <th scope="col">Do not disturb</th>
            <th scope="col">Email</th>
            <th scope="col">Phone</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.employees.map((employee) => (
            <EmployeeRow key={employee.id} employee={employee} onRemove={() => props.onRemove(employee)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EmployeeRow({ employee, onRemove }: { employee: Employee; onRemove: () => void }): ReactNode {
  const { name, email, phone, invitation_pending: isInvited } = employee;
  const change = useChangeDoNotDisturb(employee);
  const nameId = useId();
  const isOwn = employee.id === session.employeeId;
  return (
    <tr>
      <th scope="row" id={nameId}>
        {name}
        {isOwn && <span className="soft"> (you)</span>}
      </th>
      <td className="no-wrap">
        <EmployeeRole employee={employee} />
      </td>
      <td className="no-wrap">
        <span className={`employee-status ${employee.status}`}>{statusText(employee)}</span>
        {isInvited && <span className="invited">Invitation pending</span>}
      </td>
      <td>
        {isOwn || isAdmin ? (
          <Switch
            label={`Do not disturb, ${name}`}
            hideLabel
            checked={change.isPending ? change.variables : employee.do_not_disturb}
            onChange={(enabled) => change.mutate(enabled)}
          />
        ) : (
          employee.do_not_disturb && 'On'
        )}
        {employee.do_not_disturb_expires_at && (
          <span className="soft">
            {' '}
            until <Time at={employee.do_not_disturb_expires_at} withTime />
          </span>
        )}
      </td>
      <td>
        {email}
        {employee.email_confirmation_pending && (
          <span className="invited">
            {isOwner ? <a href={`/dashboard/addresses/${employee.id}`}>Not confirmed</a> : 'Not confirmed'}
          </span>
        )}
      </td>
      <td className="no-wrap">{phone}</td>
      <td>
        {!isOwn && mayManage(employee) && (
          <button type="button" className="danger" aria-describedby={nameId} onClick={onRemove}>
            Remove
          </button>
        )}
      </td>
    </tr>
  );
}
