/**
 * The same function with a memory of its last call: the same argument again gives the same result without another run. A call
 * that throws is not remembered.
 */
export function rememberLast<A, R>(run: (argument: A) => R): (argument: A) => R {
  let last: { readonly argument: A; readonly result: R } | undefined;
  return (argument) => {
    if (last === undefined || last.argument !== argument) last = { argument, result: run(argument) };
    return last.result;
  };
}
