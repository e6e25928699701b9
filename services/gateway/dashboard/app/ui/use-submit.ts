import { type MutationFunction, useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.ts';

export interface Submit<Input> {
  readonly submit: (input: Input) => void;
  readonly pending: boolean;
  /** The API's messages for a field. */
  readonly errorsOf: (field: string) => readonly string[] | undefined;
  /** The error as a whole: for messages of fields that the form does not show, and failures without any. */
  readonly error: Error | null;
  readonly reset: () => void;
  /** Of the form: its first invalid field gets the focus. */
  readonly form: RefObject<HTMLFormElement | null>;
}

/** Sends a form. What was typed stays in the form until the API has accepted it. */
export function useSubmit<Input, Output>(
  send: MutationFunction<Output, Input>,
  onSuccess?: (output: Output, input: Input) => unknown,
): Submit<Input> {
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error, reset } = useMutation<Output, Error, Input>({ mutationFn: send, onSuccess });
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return {
    submit: (input) => mutate(input),
    pending: isPending,
    errorsOf: (field) => (error instanceof ApiError ? error.errorsOf(field) : undefined),
    error,
    reset,
    form,
  };
}
