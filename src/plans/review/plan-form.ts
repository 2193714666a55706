/** `tasks.json` as somebody left it: a form, which nobody believes before it was judged. */
export type PlanForm = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing' } | { readonly kind: 'refused'; readonly why: string };
