export async function scenario(): Promise<void> {}
