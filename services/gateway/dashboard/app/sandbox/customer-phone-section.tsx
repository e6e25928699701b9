import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { CustomerLeg } from './customer-leg.tsx';
import { CUSTOMER } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';

const REFRESH_MS = 2000;

/** The phone of a customer whom an employee calls. */
export function CustomerPhoneSection(): ReactNode {
  const [number, setNumber] = useState(CUSTOMER);
  const wanted = useDebounced(number.trim());
  const legs = useQuery({
    queryKey: ['sandbox', 'legs at', wanted],
    queryFn: ({ signal }) => sandbox.legsAt(wanted, signal),
    enabled: wanted !== '',
    refetchInterval: REFRESH_MS,
  });
  return (
    <section aria-labelledby="customer-phone">
      <h2 id="customer-phone">Answer as a customer</h2>
      <TextField
        label="Customer’s phone"
        hint="When you call this number from the phone, it rings here."
        inputMode="tel"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      {wanted !== '' && (
        <QueryState query={legs} what="calls">
          {(list) =>
            list.length === 0 ? (
              <p className="soft">No call rings at this number.</p>
            ) : (
              list.map(({ leg_id: legId }) => <CustomerLeg key={legId} legId={legId} title={`call to ${wanted}`} />)
            )
          }
        </QueryState>
      )}
    </section>
  );
}
