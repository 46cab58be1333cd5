# Leaves out $why: a reason of the platform, in English.
delivery-around-topic = ↪ 这条消息属于话题“{ $topic }”，但该话题已关闭或已不存在。{ $about }
# Leaves out $why: a reason of the platform, in English.
delivery-around-unnamed-topic = ↪ 这条消息属于一个已关闭或已不存在的话题。{ $about }

# Leaves out $why: a reason of the platform, in English.
delivery-in-private = ↪ 在你提问的地方我无法发送这条消息。{ $about }

delivery-about =
    {""}
    它是关于：{ $short }

delivery-hidden-api-key = •••（已隐藏：像是 API 密钥）
delivery-hidden-access-token = •••（已隐藏：像是访问令牌）
delivery-hidden-private-key = •••（已隐藏：私钥）
delivery-hidden-password = •••（已隐藏：像是密码）
delivery-hidden-own-secret = •••（已隐藏：设置中的密钥）
delivery-hidden-other = •••（已隐藏：像是密钥）
