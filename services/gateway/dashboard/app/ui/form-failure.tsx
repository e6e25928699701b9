import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { Failure } from './query-state.tsx';

/** Why a form was not accepted. Messages that its fields show themselves are not repeated. */
export function FormFailure(props: { error: Error | null; form: RefObject<HTMLFormElement | null> }): ReactNode {
  const { error, form } = props;
  const [isAtFields, setIsAtFields] = useState(false);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- whether a field shows a message is known once it is rendered
    setIsAtFields(Boolean(form.current?.querySelector('[data-field-error]')));
  }, [error, form]);
  if (!error) return null;
  return <Failure error={isAtFields ? new Error('This was not saved. Check the marked fields.') : error} />;
}
