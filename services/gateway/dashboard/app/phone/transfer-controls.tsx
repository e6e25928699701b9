import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { SelectField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import type { useActiveCall } from './phone-queries.ts';

type ActiveCall = NonNullable<ReturnType<typeof useActiveCall>['data']>;

/** A warm transfer: choose a coworker, who is called at once, talk, then complete or cancel. */
export function TransferControls({ active }: { active: ActiveCall }): ReactNode {
  const { call, transfer, available_employees: available } = active;
  const [isChoosing, setIsChoosing] = useState(false);
  const [chosen, setChosen] = useState('');
  /** The keys go from coworker to coworker: none of them is meant yet. */
  const isBrowsing = useRef(false);
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
      setChosen('');
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
  const target = available.find(({ id }) => id === chosen);
  return (
    <div className="transfer">
      {error && <Failure error={error} />}
      {available.length > 0 ? (
        <>
          <SelectField
            label="Transfer to"
            value={target?.id ?? ''}
            disabled={start.isPending}
            onPointerDown={() => {
              isBrowsing.current = false;
            }}
            onKeyDown={({ key }) => {
              isBrowsing.current = key !== 'Enter' && key !== ' ';
            }}
            onChange={({ target: { value } }) => {
              setChosen(value);
              if (value !== '' && !isBrowsing.current) start.mutate(value);
            }}
          >
            <option value="">Choose a coworker</option>
            {available.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <button
            type="button"
            disabled={start.isPending || !target}
            onClick={() => {
              if (target) start.mutate(target.id);
            }}
          >
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
