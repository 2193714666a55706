# Runs at the top of a copy of the project. Change the command to your own, and how its input is read.
# A question is "<nonce> <input as JSON>", an answer "<nonce> <value as JSON>".
while read -r nonce input; do
  words=$(printf '%s' "$input" | tr -d '"')
  # shellcheck disable=SC2086
  value=$(sh ./add.sh $words </dev/null)
  printf '\n%s "%s"\n' "$nonce" "$value"
done
