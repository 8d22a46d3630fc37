export async function runPure() {}
