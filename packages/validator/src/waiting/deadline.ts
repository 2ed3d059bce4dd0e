/** Waits for work no longer than that. The work goes on; how it ends later is for whoever started it to see. */
export async function withinDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`it takes longer than ${milliseconds} ms, and is not waited for`));
  }, milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
