import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { SelectField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import type { useActiveCall } from './phone-queries.ts';

type ActiveCall = NonNullable<ReturnType<typeof useActiveCall>['data']>;

/** A warm transfer: choose a coworker, talk, then complete or cancel. */
export function TransferControls({ active }: { active: ActiveCall }): ReactNode {
  const { call, transfer, available_employees: available } = active;
  const [isChoosing, setIsChoosing] = useState(false);
  const [chosen, setChosen] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.activeCall });
  const start = useMutation({
    mutationFn: (employeeId: string) =>
      ok(
        api.POST('/api/v1/calls/{call_id}/transfers', {
          params: { path: { call_id: call.id } },
          body: { employee_id: employeeId },
        }),
      ),
    onSuccess: () => {
      setIsChoosing(false);
      return refresh();
    },
  });
  const params = { path: { call_id: call.id, transfer_id: transfer?.id ?? '' } };
  const complete = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/calls/{call_id}/transfers/{transfer_id}/completion', { params })),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/calls/{call_id}/transfers/{transfer_id}', { params })),
    onSettled: refresh,
  });
  const error = start.error ?? complete.error ?? cancel.error;
  if (transfer) {
    const isConsulting = transfer.state === 'consulting';
    return (
      <div className="transfer">
        <p role="status">
          {isConsulting
            ? `In conversation with ${transfer.to_employee.name}.`
            : `Calling ${transfer.to_employee.name}…`}
        </p>
        {error && <Failure error={error} />}
        <button type="button" disabled={!isConsulting || complete.isPending} onClick={() => complete.mutate()}>
          Complete transfer
        </button>{' '}
        <button type="button" className="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel transfer
        </button>
      </div>
    );
  }
  if (!isChoosing) {
    return (
      <button type="button" className="quiet" onClick={() => setIsChoosing(true)}>
        Transfer
      </button>
    );
  }
  const target = available.find(({ id }) => id === chosen) ?? available[0];
  return (
    <div className="transfer">
      {error && <Failure error={error} />}
      {target ? (
        <>
          <SelectField label="Transfer to" value={target.id} onChange={(event) => setChosen(event.target.value)}>
            {available.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <button type="button" disabled={start.isPending} onClick={() => start.mutate(target.id)}>
            Start transfer
          </button>{' '}
        </>
      ) : (
        <p>No coworker is available.</p>
      )}
      <button type="button" className="quiet" onClick={() => setIsChoosing(false)}>
        Back
      </button>
    </div>
  );
}
